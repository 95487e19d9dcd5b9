// The editor of tacheck play: CodeMirror with the language server of the same program. It is bundled
// into page/editor.js by `npm ci && npm run build` here (go generate ./show/play).
import { EditorState, StateEffect, StateField, Compartment } from "@codemirror/state";
import { EditorView, Decoration, ViewPlugin, keymap, lineNumbers, highlightActiveLine, highlightActiveLineGutter, drawSelection } from "@codemirror/view";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { autocompletion, completionKeymap, closeBrackets } from "@codemirror/autocomplete";
import { lintGutter, lintKeymap } from "@codemirror/lint";
import { searchKeymap, highlightSelectionMatches } from "@codemirror/search";
import { LSPClient, LSPPlugin, serverCompletion, hoverTooltips, serverDiagnostics, formatKeymap, renameKeymap, jumpToDefinitionKeymap, findReferencesKeymap } from "@codemirror/lsp-client";

// sanitize keeps of HTML what texts are made of, without attributes.
function sanitize(html) {
  const allowed = new Set(["P", "STRONG", "EM", "CODE", "PRE", "UL", "OL", "LI", "BR", "DIV", "SPAN"]);
  const doc = new DOMParser().parseFromString(html, "text/html");
  for (const e of [...doc.body.querySelectorAll("*")]) {
    if (!e.isConnected) continue;
    if (!allowed.has(e.tagName)) { e.replaceWith(doc.createTextNode(e.textContent)); continue; }
    for (const a of [...e.attributes]) e.removeAttribute(a.name);
  }
  return doc.body.innerHTML;
}

// socket is a connection to the language server, as CodeMirror wants it. What is said before it is
// open waits.
function socket(address, closed) {
  const ws = new WebSocket(address);
  const waiting = [], handlers = new Set();
  ws.onopen = () => { for (const m of waiting.splice(0)) ws.send(m); };
  ws.onmessage = e => { for (const h of handlers) h(e.data); };
  ws.onclose = closed;
  return {
    send: m => { if (ws.readyState === WebSocket.CONNECTING) waiting.push(m); else ws.send(m); },
    subscribe: h => handlers.add(h),
    unsubscribe: h => handlers.delete(h),
  };
}

// Highlighting is what the server says of the text.
const setTokens = StateEffect.define();
const tokens = StateField.define({
  create: () => Decoration.none,
  update: (value, tr) => {
    value = value.map(tr.changes);
    for (const e of tr.effects) if (e.is(setTokens)) value = e.value;
    return value;
  },
  provide: f => EditorView.decorations.from(f),
});

const highlighting = legend => ViewPlugin.define(view => {
  let timer = 0, gone = false;
  const ask = async () => {
    const plugin = LSPPlugin.get(view);
    if (!plugin || gone) return;
    const client = plugin.client;
    await client.initializing;
    client.sync();
    const doc = view.state.doc;
    let answer;
    try { answer = await client.request("textDocument/semanticTokens/full", { textDocument: { uri: plugin.uri } }); } catch { return; }
    if (gone || view.state.doc !== doc) return; // it is asked again
    const types = client.serverCapabilities.semanticTokensProvider.legend.tokenTypes;
    const marks = [];
    let line = 0, col = 0;
    for (let i = 0; i + 4 < answer.data.length; i += 5) {
      const [dl, dc, width, type] = answer.data.slice(i, i + 4);
      if (dl) col = 0;
      line += dl; col += dc;
      if (line >= doc.lines) break;
      const at = doc.line(line + 1).from + col;
      if (at + width <= doc.length) marks.push(Decoration.mark({ class: "tok-" + types[type] }).range(at, at + width));
    }
    view.dispatch({ effects: setTokens.of(Decoration.set(marks, true)) });
  };
  ask();
  return {
    update(u) { if (u.docChanged) { clearTimeout(timer); timer = setTimeout(ask, 80); } },
    destroy() { gone = true; clearTimeout(timer); },
  };
});

// create makes an editor in an element. options: address of the language server, changed(text) called
// after every change, closed() when the server has gone.
export function create(parent, options) {
  const client = new LSPClient({
    sanitizeHTML: sanitize, timeout: 10000,
    extensions: [serverDiagnostics(), serverCompletion(), hoverTooltips()],
  }).connect(socket(options.address, options.closed));
  const server = new Compartment();
  const setup = [
    lineNumbers(), highlightActiveLineGutter(), highlightActiveLine(), history(), drawSelection(), bracketMatching(), closeBrackets(),
    autocompletion(), highlightSelectionMatches(), lintGutter(), tokens, highlighting(), EditorView.lineWrapping,
    EditorState.tabSize.of(2), EditorView.contentAttributes.of({ "aria-label": "The text of the model" }),
    keymap.of([...formatKeymap, ...renameKeymap, ...jumpToDefinitionKeymap, ...findReferencesKeymap, ...completionKeymap, ...lintKeymap, ...searchKeymap,
      ...historyKeymap, ...defaultKeymap]),
    EditorView.updateListener.of(u => { if (u.docChanged) options.changed(u.state.doc.toString()); }),
  ];
  let file = "";
  const view = new EditorView({ parent, state: EditorState.create({ doc: "", extensions: [setup, server.of([])] }) });
  return {
    view,
    text: () => view.state.doc.toString(),
    // open puts another text in the place of the one that is there.
    open(name, text) {
      const uri = "file:///" + encodeURIComponent(name);
      if (name !== file) view.setState(EditorState.create({ doc: text, extensions: [setup, server.of(client.plugin(uri, name.replace(/^.*\./, "")))] }));
      else view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      file = name;
      options.changed(text);
    },
    // replace changes lines and columns, counted from 1, of so many characters.
    replace(edits) {
      const doc = view.state.doc;
      view.dispatch({ changes: edits.map(e => {
        const from = doc.line(e.line).from + e.col - 1;
        return { from, to: from + e.width, insert: e.text };
      }) });
    },
    // go puts the cursor somewhere and shows it.
    go(line, col) {
      const doc = view.state.doc;
      const at = Math.min(doc.line(Math.min(line, doc.lines)).from + col - 1, doc.length);
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
      view.focus();
    },
  };
}
