// The page of tacheck play: what is written on the left is asked about at once, and whatever fails is shown on
// the right. All that is known comes from the program that serves this page.
import { create } from "./editor.js";

const $ = id => document.getElementById(id);
const make = (name, properties, ...children) => {
  const e = Object.assign(document.createElement(name), properties);
  e.append(...children);
  return e;
};

const state = {
  set: null,       // values of parameters that are asked about; null for all sizes
  chosen: "",      // the specification whose run is shown, where the reader has chosen one
  shown: "",       // and the one that is
  model: null,     // what is known of the text
  modelText: "",   // and which text that was
  verdicts: new Map(),
  runs: new Map(),
  examples: [],
};

// --- asking -------------------------------------------------------------------------------

// events asks, and calls handle with each event of the answer.
async function events(what, question, signal, handle) {
  const r = await fetch(what, { method: "POST", body: JSON.stringify(question), signal });
  const reader = r.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    rest += value;
    const lines = rest.split("\n");
    rest = lines.pop();
    for (const line of lines) if (line) handle(JSON.parse(line));
  }
}

const question = () => ({ file: $("name").value || "model.ta", text: editor.text(), set: state.set, first: first() });

// first are the specifications whose verdicts are waited for: the one whose run is shown, then others that failed before.
const first = () => [...new Set([state.chosen, state.shown, ...state.runs.keys()])].filter(Boolean);

let asking = new AbortController(), timer = 0, fresh = false;

// check asks about the text in a moment; what was asked before is given up.
function check(after = 120) {
  clearTimeout(timer);
  asking.abort();
  $("verdicts").classList.add("stale");
  $("run").classList.add("stale");
  timer = setTimeout(ask, after);
}

async function ask() {
  asking = new AbortController();
  const signal = asking.signal, q = question();
  fresh = true; // the first event clears what was there
  document.body.dataset.busy = "true";
  try {
    await events("check", q, signal, e => { if (!signal.aborted) take(e, q.text); });
  } catch (error) {
    if (signal.aborted) return;
    take({ kind: "wrong", error: "tacheck does not answer: is it still running?" }, q.text);
  }
  if (signal.aborted) return;
  document.body.dataset.busy = "";
  document.body.dataset.asked = Number(document.body.dataset.asked || 0) + 1;
  remember();
}

// take shows an event.
function take(e, text) {
  if (fresh) {
    fresh = false;
    state.verdicts.clear();
    state.runs.clear();
    $("wrong").replaceChildren();
    $("verdicts").classList.remove("stale");
    if (e.kind === "wrong") state.model = null;
  }
  switch (e.kind) {
    case "model":
      state.model = e;
      state.modelText = text;
      knobs();
      sizes();
      proposeForm();
      break;
    case "verdict": state.verdicts.set(e.spec, e); break;
    case "notes": {
      const v = state.verdicts.get(e.spec);
      if (v) state.verdicts.set(e.spec, { ...v, notes: [...(v.notes || []), ...e.notes] });
      break;
    }
    case "run":
      state.runs.set(e.spec, e);
      break;
    case "wrong": wrong(e); break;
    case "end": state.seconds = e.seconds; break;
  }
  verdicts();
  if (e.kind === "run" || e.kind === "end" || e.kind === "wrong") show(e.kind !== "run");
}

function wrong(e) {
  const list = e.problems && e.problems.length ? e.problems : [{ line: 0, message: e.error }];
  for (const p of list.slice(0, 20)) {
    if (!p.line) { $("wrong").append(make("li", { textContent: p.message })); continue; }
    $("wrong").append(make("li", {}, make("button", { type: "button", textContent: `line ${p.line}: ${p.message}`, onclick: () => editor.go(p.line, p.col) })));
  }
  if (!state.model) { $("sizes").replaceChildren(); sizesKey = ""; }
}

// --- verdicts and runs --------------------------------------------------------------------

const marks = { holds: "✓", violated: "✗", unknown: "?" };

function verdicts() {
  const specs = state.model ? state.model.specs : [];
  const rows = specs.map(s => {
    const v = state.verdicts.get(s.name);
    const run = state.runs.get(s.name);
    const b = make("button", { type: "button", className: "spec", onclick: () => choose(s.name) });
    if (v) {
      b.append(make("span", { className: `verdict ${v.verdict}`, textContent: `${marks[v.verdict]} ${s.name} ${v.verdict}` }),
        make("span", { className: "how", textContent: v.reason || (run ? run.title : v.how) }));
      for (const n of v.notes || []) b.append(make("span", { className: "how", textContent: n }));
    } else b.append(make("span", { className: "waiting", textContent: `… ${s.name}` }));
    b.setAttribute("aria-pressed", String(state.shown === s.name));
    b.dataset.spec = s.name;
    const line = make("button", { type: "button", className: "line", textContent: `line ${s.line}`, onclick: () => editor.go(s.line, s.col) });
    line.setAttribute("aria-label", `go to ${s.name} in line ${s.line}`);
    return make("li", {}, b, line);
  });
  const focused = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.spec : undefined;
  $("verdicts").replaceChildren(...rows);
  if (focused) { const b = $("verdicts").querySelector(`[data-spec="${CSS.escape(focused)}"]`); if (b) b.focus(); }
  status(specs);
}

function status(specs) {
  const n = { holds: 0, violated: 0, unknown: 0 };
  for (const v of state.verdicts.values()) n[v.verdict]++;
  const open = specs.length - state.verdicts.size;
  if (!state.model) { $("status").textContent = "The text is not right yet."; return; }
  const parts = [n.holds && `${n.holds} hold`, n.violated && `${n.violated} violated`, n.unknown && `${n.unknown} unknown`].filter(Boolean);
  if (!specs.length) parts.push("it says nothing that could be decided");
  const where = state.model.instance ? ` with ${state.model.instance}` : state.model.forAll ? " for all sizes" : "";
  $("status").textContent = `${state.model.what}: ${parts.join(", ") || "deciding"}${where}${open > 0 && parts.length ? `, ${open} to go` : ""}`;
}

function choose(name) {
  state.chosen = name;
  show(true);
  verdicts();
  remember();
}

// show shows the run of the chosen specification, or of the first that is violated. At the end it also
// shows that there is none.
function show(end) {
  const first = [...state.runs.keys()][0];
  const name = state.runs.has(state.chosen) ? state.chosen : first;
  const run = state.runs.get(name);
  if (!run) {
    if (end) { state.shown = state.chosen; $("run").replaceChildren(); $("run").classList.remove("stale"); }
    return;
  }
  if (state.drawn === run) return;
  state.drawn = run;
  state.shown = name;
  $("run").classList.remove("stale");
  const heading = make("h2", {}, make("span", { textContent: `Why ${name} fails` }),
    make("button", { type: "button", textContent: "Step by hand", onclick: walk }),
    make("button", { type: "button", textContent: "Save the run", onclick: () => download("run.json", JSON.stringify(run.file, null, 2)) }));
  const part = make("div", {});
  part.innerHTML = run.html; // made by the program, which escapes what texts contain
  $("run").replaceChildren(heading, part);
  part.querySelectorAll(".story").forEach(play); // of report.js
  part.querySelectorAll(".run").forEach(step);
  verdicts();
}

async function walk() {
  const run = state.runs.get(state.shown);
  const tab = window.open("", "_blank");
  const r = await fetch("walk", { method: "POST", body: JSON.stringify({ ...question(), set: run ? run.values : state.set, run: run ? run.file : undefined }) });
  const v = await r.json();
  if (!r.ok) { tab.close(); wrong(v); return; }
  tab.location = new URL(v.address, location.href).href;
}

// --- sizes and numbers --------------------------------------------------------------------

// knob is a slider with its label.
function knob(label, value, most, change) {
  const output = make("output", { textContent: value });
  const input = make("input", { type: "range", min: 0, max: Math.max(most, Number(value)), value });
  input.setAttribute("aria-label", label.textContent);
  input.oninput = () => { output.textContent = input.value; change(Number(input.value)); };
  return Object.assign(make("div", { className: "knob" }, label, input, output), { input, output, label });
}

let sizesKey = "";

// sizes shows whether all sizes or one instance is asked about, and sliders for that.
function sizes() {
  const m = state.model, values = {};
  for (const p of m.parameters) values[p.name] = p.value;
  const key = JSON.stringify([m.forAll, m.parameters.map(p => [p.name, p.truth]), state.set === null, m.forAll ? 0 : Object.values(values)]);
  if (key === sizesKey) {
    for (const row of $("sizes").querySelectorAll(".knob")) {
      const v = state.set && row.dataset.name in state.set ? state.set[row.dataset.name] : values[row.dataset.name];
      if (v !== "" && document.activeElement !== row.input) { row.input.max = Math.max(row.input.max, v); row.input.value = v; row.output.textContent = v; }
    }
    return;
  }
  sizesKey = key;
  const box = $("sizes");
  box.replaceChildren();
  if (!m.parameters.length) return;
  if (m.forAll) {
    const choice = make("div", { className: "choice" });
    for (const [text, all] of [["all sizes", true], ["one instance", false]]) {
      const input = make("input", { type: "radio", name: "sizes", checked: (state.set === null) === all });
      input.onchange = () => { state.set = all ? null : instance(); check(0); };
      choice.append(make("label", {}, input, " " + text));
    }
    box.append(choice);
    if (state.set === null) return;
  }
  for (const p of m.parameters) {
    const own = state.set && p.name in state.set ? state.set[p.name] : p.value || 0;
    const row = knob(make("code", { textContent: p.name }), String(own === "true" ? 1 : own), p.truth ? 1 : 8, v => {
      state.set = { ...(state.set || {}), [p.name]: v };
      check(60);
    });
    row.dataset.name = p.name;
    box.append(row);
  }
}

// instance is the one that the run is of, or a small one.
function instance() {
  const run = state.runs.get(state.shown);
  return run ? { ...run.values } : {};
}

let knobsKey = "";

// knobs has a slider for each number in the assumptions, which changes the text.
function knobs() {
  const list = state.model.assumptions;
  const numbers = list.flatMap(a => a.numbers.map((n, i) => ({ ...n, of: a, i })));
  const key = JSON.stringify(list.map(a => a.text.replace(/\d+/g, "#")));
  const rows = [...$("knobs").children];
  if (key === knobsKey && rows.length === numbers.length) {
    rows.forEach((row, k) => {
      row.at = numbers[k];
      if (document.activeElement !== row.input) { row.input.max = Math.max(row.input.max, numbers[k].value); row.input.value = numbers[k].value; }
      row.output.textContent = numbers[k].value;
      row.label.replaceChildren(...marked(numbers[k].of, numbers[k].i));
    });
    return;
  }
  knobsKey = key;
  $("knobs").replaceChildren(...numbers.map(n => {
    const row = knob(make("code", {}, ...marked(n.of, n.i)), n.value, 6, v => turn(row, v));
    row.at = n;
    return row;
  }));
}

// marked is the text of an assumption with a number of it marked.
function marked(a, i) {
  let k = -1;
  return a.text.split(/(\b\d+\b)/).map(part => /^\d+$/.test(part) && ++k === i ? make("mark", { textContent: part }) : part);
}

// turn changes a number in the text. Places behind it in the line move.
function turn(row, value) {
  if (editor.text() !== state.modelText) return; // what is known is of another text
  const { line, col, width } = row.at, text = String(value);
  editor.replace([{ line, col, width, text }]);
  for (const other of $("knobs").children) {
    if (other.at.line === line && other.at.col > col) other.at.col += text.length - width;
  }
  row.at.width = text.length;
  state.modelText = editor.text();
  check(0);
}

// --- where it holds -----------------------------------------------------------------------

let formKey = "", regionAsked = new AbortController();

// proposeForm makes a form of conditions of the first assumption that compares a parameter with others.
function proposeForm() {
  const m = state.model;
  $("region").hidden = !m.free;
  const key = JSON.stringify(m.assumptions.map(a => a.text));
  if (key === formKey) return;
  formKey = key;
  const names = m.parameters.map(p => p.name);
  for (const a of m.assumptions) {
    const [, left, op, right] = a.text.match(/^(\w+) (>=?) (.*)$/) || [];
    if (!left || !names.includes(left)) continue;
    const others = names.filter(n => n !== left && new RegExp(`\\b${n}\\b`).test(right));
    if (!others.length) continue;
    const unknowns = ["a", "b", "c", "d", "x", "y"].filter(n => !names.includes(n));
    if (document.activeElement !== $("form")) $("form").value = `${left} ${op} ${unknowns[0]}*${others[0]} + ${unknowns[1]}${others[1] ? "*" + others[1] : ""}`;
    here();
    return;
  }
}

$("ask-region").onsubmit = async e => {
  e.preventDefault();
  regionAsked.abort();
  regionAsked = new AbortController();
  const signal = regionAsked.signal;
  $("sentence").textContent = "looking";
  $("plane").replaceChildren();
  try {
    await events("region", { file: question().file, text: editor.text(), form: $("form").value, most: Number($("most").value) }, signal, v => {
      if (v.kind === "progress") $("sentence").textContent = `${v.verified} conditions decided`;
      if (v.kind === "wrong") $("sentence").textContent = v.error;
      if (v.kind === "region") plane(v);
    });
  } catch (error) {
    if (!signal.aborted) $("sentence").textContent = String(error);
  }
};

const words = { weakest: "all hold, and with nothing weaker", holds: "all hold", violated: "violated", unknown: "not known" };
const signs = { weakest: "✓", holds: "·", violated: "✗", unknown: "?" };

// plane draws which conditions are strong enough: a button for each, which puts it into the text.
function plane(r) {
  $("sentence").textContent = r.sentence;
  const [x, y] = r.unknowns;
  const body = make("tbody", {});
  const rows = [];
  for (let i = 0; i < r.cells.length; i += r.most + 1) rows.push(r.cells.slice(i, i + r.most + 1));
  for (const cells of rows.reverse()) {
    const tr = make("tr", {}, make("th", { scope: "row", textContent: y ? `${y} = ${cells[0].values[1]}` : "" }));
    for (const c of cells) {
      const b = make("button", { type: "button", className: c.state, textContent: signs[c.state], title: `${c.condition}: ${c.why || words[c.state]}` });
      b.setAttribute("aria-label", b.title);
      b.dataset.condition = c.condition;
      b.onclick = () => { $("sentence").textContent = b.title; put(c.condition); };
      tr.append(make("td", {}, b));
    }
    body.append(tr);
  }
  const foot = make("tr", {}, make("th", {}), ...Array.from({ length: r.most + 1 }, (_, i) => make("th", { scope: "col", textContent: `${i ? "" : x + " = "}${i}` })));
  body.append(foot);
  $("plane").replaceChildren(make("table", {}, body));
  here();
}

// compared is the one assumption that a condition takes the place of; none if there are several.
function compared(condition) {
  const left = condition.match(/^\w+/)[0];
  const names = state.model ? state.model.parameters.map(p => p.name) : [];
  const list = (state.model ? state.model.assumptions : []).filter(a => new RegExp(`\\b${left}\\b`).test(a.text) && names.some(n => n !== left && new RegExp(`\\b${n}\\b`).test(a.text)));
  return list.length === 1 ? list[0] : null;
}

// put puts a condition into the text.
function put(condition) {
  const a = compared(condition);
  if (!a || editor.text() !== state.modelText) return;
  editor.replace([{ line: a.line, col: a.col, width: a.width, text: condition }]);
  check(0);
}

// here marks the condition that the text has.
function here() {
  const plain = t => t.replace(/\s+/g, "");
  for (const b of $("plane").querySelectorAll("button")) {
    const a = compared(b.dataset.condition);
    b.classList.toggle("here", Boolean(a) && plain(a.text) === plain(b.dataset.condition));
  }
}

// --- files, links, examples ---------------------------------------------------------------

function download(name, text) {
  const a = make("a", { href: URL.createObjectURL(new Blob([text])), download: name });
  a.click();
  URL.revokeObjectURL(a.href);
  document.body.dataset.saved = name;
}

const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

// link is all that the page shows, as what stands behind # in its address: name, text, sizes, specification.
async function link() {
  const data = new TextEncoder().encode(JSON.stringify({ file: $("name").value, text: editor.text(), set: state.set, spec: state.chosen }));
  const packed = await through(data, new CompressionStream("deflate-raw"));
  let text = "";
  for (const b of packed) text += String.fromCharCode(b);
  return "1." + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

const longestLink = 400000, longestText = 4 << 20;

// follow opens what a link says; false if it says nothing.
async function follow(hash) {
  if (!hash.startsWith("1.") || hash.length > longestLink) return false;
  try {
    const packed = Uint8Array.from(atob(hash.slice(2).replaceAll("-", "+").replaceAll("_", "/")), c => c.charCodeAt(0));
    const v = JSON.parse(new TextDecoder().decode(await through(packed, new DecompressionStream("deflate-raw"))));
    if (typeof v.text !== "string" || typeof v.file !== "string" || v.text.length > longestText) return false;
    const whole = v.set && Object.values(v.set).every(Number.isSafeInteger);
    load(v.file.slice(0, 200), v.text, whole ? v.set : null, String(v.spec || ""));
    return true;
  } catch { return false; }
}

let remembering = 0;

// remember keeps what is shown in the address, so that it can be reloaded and bookmarked.
function remember() {
  const turn = ++remembering;
  link().then(text => { if (turn === remembering) { known = "#" + text; history.replaceState(null, "", known); } });
}

let known = "";

// load puts a text into the page.
function load(name, text, set = null, spec = "") {
  $("name").value = name;
  Object.assign(state, { set, chosen: spec, shown: "", drawn: null, model: null });
  sizesKey = knobsKey = formKey = "";
  $("plane").replaceChildren();
  $("sentence").textContent = "";
  $("run").replaceChildren();
  editor.open(name, text);
  for (const b of $("examples").querySelectorAll("button")) {
    if (b.dataset.name === name) b.setAttribute("aria-current", "true"); else b.removeAttribute("aria-current");
  }
  check(0);
}

function examples(list) {
  const groups = new Map();
  for (const e of list) {
    if (!groups.has(e.group)) groups.set(e.group, make("section", {}, make("h2", { textContent: e.group })));
    const b = make("button", { type: "button", onclick: () => load(e.name.replace(/^.*\//, ""), e.text) }, e.name.replace(/^.*\//, ""), make("small", { textContent: e.about }));
    b.dataset.name = e.name.replace(/^.*\//, "");
    b.dataset.example = e.name;
    groups.get(e.group).append(b);
  }
  $("examples").replaceChildren(...groups.values());
}

function browse(open) {
  $("examples").hidden = !open;
  $("browse").setAttribute("aria-expanded", String(open));
}

$("browse").onclick = () => browse($("examples").hidden);
if (matchMedia("(max-width: 52rem)").matches) browse(false); // the text comes first where there is little room
$("open").onclick = () => $("file").click();
$("file").onchange = async () => { const f = $("file").files[0]; if (f) load(f.name, await f.text()); $("file").value = ""; };
$("save").onclick = () => download($("name").value || "model.ta", editor.text());
$("name").onchange = () => load($("name").value, editor.text());
$("link").onclick = async () => {
  const text = location.href.replace(/#.*/, "") + "#" + await link();
  try { await navigator.clipboard.writeText(text); $("link").textContent = "Copied"; } catch { prompt("A link to what is shown:", text); }
  setTimeout(() => { $("link").textContent = "Copy link"; }, 1500);
};
addEventListener("dragover", e => e.preventDefault());
addEventListener("drop", async e => {
  const f = e.dataTransfer.files[0];
  if (!f) return;
  e.preventDefault();
  load(f.name, await f.text());
});
addEventListener("hashchange", () => { if (location.hash !== known) follow(location.hash.slice(1)); });

const address = new URL("lsp", location.href);
address.protocol = "ws:";
const editor = create($("editor"), { address: address.href.replace(/#.*/, ""), changed: () => check(), closed: () => {
  $("wrong").append(make("li", { textContent: "The connection to tacheck has ended: start it again, and reload this page." }));
} });
window.editor = editor; // for tests

const about = await (await fetch("examples")).json();
examples(about.examples);
if (matchMedia("(max-width: 82rem)").matches) browse(false);
if (!await follow(location.hash.slice(1))) load(about.start.name, about.start.text);
