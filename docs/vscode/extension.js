"use strict";

const { workspace } = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

// The server does all the work; the lenses' commands, tacheck.verify and
// tacheck.explore, are the server's, and the client registers them.
function activate() {
  const settings = workspace.getConfiguration("tacheck");
  const run = { command: settings.get("path"), args: ["lsp", "--timeout", settings.get("timeout")], transport: TransportKind.stdio };
  client = new LanguageClient("tacheck", "tacheck", { run, debug: run }, { documentSelector: [{ language: "ta" }, { language: "ftdp" }, { language: "promela" }, { language: "pyv" }] });
  return client.start();
}

function deactivate() {
  return client && client.stop();
}

module.exports = { activate, deactivate };
