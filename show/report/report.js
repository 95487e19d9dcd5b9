"use strict";

// Dark or light: what the system says, until the reader chooses.
document.getElementById("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
});

const svgElement = (name, attributes) => {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
  return e;
};

const element = (name, className, text) => {
  const e = document.createElement(name);
  if (className) e.className = className;
  if (text !== undefined) e.textContent = text;
  return e;
};

// centre scrolls a picture so that something of it is in the middle.
const centre = (figure, e) => {
  if (!e) return;
  const seen = e.getBoundingClientRect(), window = figure.getBoundingClientRect();
  figure.scrollLeft += (seen.left + seen.right - window.left - window.right) / 2;
  figure.scrollTop += (seen.top + seen.bottom - window.top - window.bottom) / 2;
};
document.querySelectorAll(".picture.automaton").forEach(figure => centre(figure, figure.querySelector(".initial")));

// play makes a counterexample one can step through. Position k is the
// configuration after k steps; after the last one of a lasso, the loop begins
// again.
function play(story) {
  const data = JSON.parse(story.querySelector("script[type='application/json']").textContent);
  const stage = story.querySelector(".stage");
  stage.append(story.closest(".model").querySelector(".automaton svg").cloneNode(true));
  stage.setAttribute("role", "img");
  stage.setAttribute("aria-label", "The automaton, with how many processes are where; the table has the steps");
  const last = data.Steps.length;
  const most = Math.max(1, ...data.Counters.flat());
  const control = name => story.querySelector(`[data-go=${name}]`);
  const slider = story.querySelector("input");
  slider.max = last;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;

  // Each location gets a bar under its box: how many processes are there.
  const bars = data.Locations.map((name, i) => {
    const group = stage.querySelector(`[data-location="${i}"]`);
    const box = group.querySelector("path, polygon").getBBox();
    const y = box.y + box.height + 4;
    const track = svgElement("rect", { class: "track", x: box.x, y, width: box.width, height: 5, rx: 2 });
    const bar = svgElement("rect", { class: "bar", x: box.x, y, width: 0, height: 5, rx: 2 });
    const count = svgElement("text", { class: "count", x: box.x + box.width + 3, y: y + 7 });
    group.append(track, bar, count);
    return { group, bar, count, width: box.width };
  });

  const gauges = data.Gauges === null ? [] : data.Gauges.map(g => {
    const top = Math.max(1, ...g.Values, ...g.Bounds.map(b => b.Value)) * 1.08;
    const div = element("div", "gauge"), scale = element("div", "scale"), fill = element("div", "fill");
    const name = element("div", "name"), bounds = element("div", "bounds");
    scale.append(fill);
    const ticks = g.Bounds.map((b, i) => {
      const tick = element("div", "tick"), label = element("span", "", b.Text === String(b.Value) ? b.Text : `${b.Text} = ${b.Value}`);
      tick.style.left = `${Math.max(0, 100 * b.Value / top)}%`;
      scale.append(tick);
      if (i) bounds.append(", ");
      bounds.append(label);
      return { tick, label, value: b.Value };
    });
    div.append(name, scale, bounds);
    story.querySelector(".gauges").append(div);
    return { g, top, fill, name, ticks };
  });

  const body = story.querySelector(".steps tbody");
  const row = (position, cells) => {
    const tr = element("tr");
    cells.forEach((text, i) => tr.append(element("td", i < 2 ? "n" : "", text)));
    tr.addEventListener("click", () => { stop(); show(position); });
    body.append(tr);
    return tr;
  };
  const rows = [row(0, ["0", "", "", "start", ""])];
  data.Steps.forEach((s, i) => {
    const tr = row(i + 1, [String(i + 1), s.Times, s.Rule, s.Move, s.Effect]);
    if (data.Loop >= 0 && i >= data.Loop) tr.classList.add("loop");
    rows.push(tr);
  });

  let position = 0, timer = 0, frame = 0;
  // An arrow has two parts, before its label and behind it.
  const edge = i => {
    const first = stage.querySelector(`[data-move="${data.Steps[i].From}-${data.Steps[i].To}"]`), label = /via-\d+/.exec(first.getAttribute("class"));
    return label ? [first, ...stage.querySelectorAll("." + label[0] + ":not([data-move])")] : [first];
  };

  function show(to, travelled) {
    position = Math.max(0, Math.min(last, to));
    const counters = data.Counters[position];
    bars.forEach((b, i) => {
      b.bar.style.width = `${b.width * counters[i] / most}px`;
      b.count.textContent = counters[i] ? counters[i] : "";
      b.group.classList.toggle("empty", !counters[i]);
    });
    for (const { g, top, fill, name, ticks } of gauges) {
      const value = g.Values[position];
      fill.style.width = `${100 * value / top}%`;
      name.textContent = `${g.Name} = ${value}`;
      for (const t of ticks) {
        t.tick.classList.toggle("met", value >= t.value);
        t.label.classList.toggle("met", value >= t.value);
      }
    }
    stage.querySelectorAll(".now").forEach(e => e.classList.remove("now", "loop"));
    rows.forEach((tr, i) => tr.classList.toggle("now", i === position));
    story.querySelectorAll(".why dd").forEach(dd => dd.classList.toggle("now", position > 0 && Number(dd.dataset.step) === position));
    let text = "Start.";
    if (position === 0) centre(stage, bars[counters.findIndex(n => n > 0)]?.group);
    if (position > 0) {
      const s = data.Steps[position - 1], e = edge(position - 1);
      const inLoop = data.Loop >= 0 && position - 1 >= data.Loop;
      e.forEach(part => { part.classList.add("now"); part.classList.toggle("loop", inLoop); });
      centre(stage, e[0]);
      text = `Step ${position} of ${last}: ${s.Times} × rule ${s.Rule}, ${s.Move}${s.Effect ? ": " + s.Effect : ""}${inLoop ? " (in the loop)" : ""}.`;
      if (travelled) travel(e);
    }
    if (position === last && data.Loop >= 0) text += " From here the loop repeats for ever.";
    story.querySelector("output").textContent = text;
    slider.value = position;
    control("first").disabled = control("previous").disabled = position === 0;
    control("last").disabled = position === last;
    control("next").disabled = position === last && data.Loop < 0;
  }

  // travel moves a token along the parts of an arrow.
  function travel(parts) {
    cancelAnimationFrame(frame);
    stage.querySelectorAll(".token").forEach(t => t.remove());
    const paths = parts.filter(e => e.classList.contains("edge")).map(e => e.querySelector("path"));
    if (still || !paths.length) return;
    const token = svgElement("circle", { class: "token", r: 5 }), long = paths.map(p => p.getTotalLength()), whole = long.reduce((a, b) => a + b);
    const begin = performance.now();
    paths[0].parentNode.append(token);
    const draw = now => {
      const part = Math.min(1, (now - begin) / 450);
      let at = part * whole, k = 0;
      while (k + 1 < paths.length && at > long[k]) at -= long[k++];
      const p = paths[k].getPointAtLength(at);
      token.setAttribute("cx", p.x);
      token.setAttribute("cy", p.y);
      if (part < 1) frame = requestAnimationFrame(draw);
      else token.remove();
    };
    frame = requestAnimationFrame(draw);
  }

  function next() {
    if (!story.isConnected) return stop(); // it has been taken off the page
    if (position < last) show(position + 1, true);
    else if (data.Loop >= 0) show(data.Loop + 1, true);
    else stop();
  }
  function stop() {
    clearInterval(timer);
    timer = 0;
    control("play").setAttribute("aria-pressed", "false");
    control("play").textContent = "play";
  }
  function start() {
    if (position === last && data.Loop < 0) show(0);
    timer = setInterval(next, 1100);
    control("play").setAttribute("aria-pressed", "true");
    control("play").textContent = "pause";
    next();
  }

  const go = {
    first: () => show(0), last: () => show(last), next, previous: () => show(position - 1),
    play: () => (timer ? stop() : start()),
  };
  for (const [name, action] of Object.entries(go)) {
    control(name).addEventListener("click", () => { if (name !== "play") stop(); action(); });
  }
  slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
  reasons(story, k => { stop(); show(k); });
  story.addEventListener("keydown", e => {
    const keys = { ArrowRight: "next", ArrowLeft: "previous", Home: "first", End: "last", " ": "play" };
    const name = keys[e.key];
    if (!name || e.target === slider || (e.key === " " && e.target.tagName === "BUTTON")) return;
    e.preventDefault();
    if (name !== "play") stop();
    go[name]();
  });
  show(0);
}

document.querySelectorAll(".story").forEach(play);

// reasons has one go to the steps that reasons are about.
function reasons(part, go) {
  for (const dd of part.querySelectorAll(".why dd[data-step]")) {
    dd.tabIndex = 0;
    dd.setAttribute("role", "button");
    dd.addEventListener("click", () => go(Number(dd.dataset.step)));
    dd.addEventListener("keydown", e => {
      if (e.key !== "Enter" && e.key !== " ") return;
      e.preventDefault();
      e.stopPropagation(); // space plays the run, elsewhere
      go(Number(dd.dataset.step));
    });
  }
}

// step makes a run one can step through: what happens later is
// faint in its chart.
function step(run) {
  const beats = [...run.querySelectorAll(".beats li")];
  const slider = run.querySelector("input"), output = run.querySelector("output");
  slider.max = beats.length - 1;
  const rows = [...run.querySelectorAll("svg g[class]")].map(g => [g, parseInt(g.getAttribute("class").slice(1), 10)]);
  const figures = [...run.querySelectorAll(".sequence")], covered = figures.map(names);
  // look scrolls the chart to what happens, and no further.
  const look = (first, last) => {
    const k = figures.findIndex(f => !f.hidden), figure = figures[k];
    if (!figure) return;
    const seen = figure.getBoundingClientRect();
    const marks = rows.filter(([, row]) => first <= row && row <= last).map(([g]) => g.getBoundingClientRect()).filter(r => r.width || r.height);
    if (!marks.length) return;
    const [left, top] = ["left", "top"].map(side => Math.min(...marks.map(r => r[side])) - seen[side]);
    const [right, bottom] = [["right", "left"], ["bottom", "top"]].map(([side, from]) => Math.max(...marks.map(r => r[side])) - seen[from]);
    const across = (from, to, room, before) => from < before ? from - before : to > room ? Math.min(to - room, from - before) : 0;
    const down = (from, to, room, before) => to > room ? to - room : Math.min(0, Math.max(from - before, to - room)); // where an arrow ends, not where it begins
    figure.scrollBy(across(left, right, figure.clientWidth - 8, 8), down(top, bottom, figure.clientHeight - 8, covered[k] + 8));
  };
  const show = k => {
    k = Math.min(beats.length - 1, Math.max(0, k));
    look(Number(beats[k].value), Number(beats[k].dataset.last));
    slider.value = k;
    for (const [g, row] of rows) g.classList.toggle("later", row > Number(beats[k].dataset.last));
    beats.forEach((li, i) => li.classList.toggle("now", i === k));
    const told = dd => Number(beats[k].value) <= Number(dd.dataset.step) && Number(dd.dataset.step) <= Number(beats[k].dataset.last);
    run.querySelectorAll(".why dd").forEach(dd => dd.classList.toggle("now", told(dd)));
    output.textContent = `step ${beats[k].dataset.last} of ${beats[beats.length - 1].dataset.last}: ${beats[k].firstChild.textContent}`;
  };
  // fit shows the widest chart for which there is room.
  const fit = () => {
    const beside = run.querySelector(".beside"), columns = getComputedStyle(beside).gridTemplateColumns.split(" ").length;
    const room = beside.clientWidth - (columns > 1 ? 26 * 16 : 0); // the story has that much
    const k = figures.findIndex(f => .88 * f.querySelector("svg.chart").viewBox.baseVal.width <= room);
    figures.forEach((f, i) => { f.hidden = i !== (k < 0 ? figures.length - 1 : k); });
    show(Number(slider.value));
  };
  const go = { first: () => 0, previous: k => k - 1, next: k => k + 1, last: () => beats.length - 1 };
  for (const b of run.querySelectorAll("[data-go]")) b.addEventListener("click", () => show(go[b.dataset.go](Number(slider.value))));
  slider.addEventListener("input", () => show(Number(slider.value)));
  beats.forEach((li, i) => li.addEventListener("click", () => show(i)));
  reasons(run, n => show(beats.findIndex(li => n <= Number(li.dataset.last))));
  run.addEventListener("keydown", e => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity }[e.key];
    if (!by || e.target === slider) return;
    e.preventDefault();
    show(Number(slider.value) + by);
  });
  slider.value = beats.length - 1;
  fit();
  new ResizeObserver(fit).observe(run);
}

// names keeps the names of processes in sight while a chart is scrolled, and returns how high they are.
function names(figure) {
  const svg = figure.querySelector("svg"), row = [...svg.querySelectorAll("g.names")];
  const boxes = row.map(g => g.querySelector("rect")).filter(Boolean);
  if (!boxes.length) return 0;
  const top = Number(boxes[0].getAttribute("y")) - 5, height = Number(boxes[0].getAttribute("height")) + 10;
  const copy = svg.cloneNode(false), bar = element("div", "heads");
  for (const name of ["role", "aria-label"]) copy.removeAttribute(name);
  copy.setAttribute("aria-hidden", "true");
  copy.setAttribute("height", height);
  copy.setAttribute("viewBox", `0 ${top} ${svg.viewBox.baseVal.width} ${height}`);
  copy.append(...[svg.querySelector("style"), svg.querySelector(".sheet"), ...row].map(e => e.cloneNode(true)));
  copy.querySelector(".sheet").setAttribute("y", top);
  bar.append(copy);
  bar.hidden = true;
  figure.prepend(bar);
  figure.addEventListener("scroll", () => { bar.hidden = figure.scrollTop <= top * svg.clientHeight / svg.viewBox.baseVal.height; });
  return height;
}
document.querySelectorAll(".run").forEach(step);
