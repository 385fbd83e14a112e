// The extension: it starts the language server, and runs the commands that the server's code lenses name.

const { execFile } = require("node:child_process");
const path = require("node:path");
const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

const MAX_PICTURE_LENGTH = 20_000_000;

/** @type {import("vscode-languageclient/node").LanguageClient | undefined} */
let client;
/** @type {Map<string, import("vscode").WebviewPanel>} The panels with boards, by the address of their game. */
const panels = new Map();

/** The command line of Ludograph: a program and its first arguments. */
function commandLine() {
  const words = vscode.workspace.getConfiguration("ludograph").get("command", ["ludograph"]);
  return words.length > 0 ? words : ["ludograph"];
}

/** @param {import("vscode").ExtensionContext} context */
async function activate(context) {
  const register = (/** @type {string} */ name, /** @type {(...given: any[]) => unknown} */ run) =>
    context.subscriptions.push(vscode.commands.registerCommand(name, run));
  register("ludograph.play", (uri) => inTerminal("play", uri));
  register("ludograph.simulate", (uri) => inTerminal("simulate", uri));
  register("ludograph.coverage", (uri) => inTerminal("coverage", uri));
  register("ludograph.preview", (uri) => preview(uri));
  register("ludograph.restart", restart);
  context.subscriptions.push(
    vscode.workspace.onDidSaveTextDocument((document) => {
      const panel = panels.get(document.uri.toString());
      if (panel !== undefined) drawBoard(document.uri, panel);
    }),
  );
  await start();
}

async function start() {
  const [program, ...words] = commandLine();
  client = new LanguageClient(
    "ludograph",
    "Ludograph",
    { command: program, args: [...words, "lsp"], transport: TransportKind.stdio },
    {
      documentSelector: [{ language: "tgdl" }],
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.tgdl") },
    },
  );
  try {
    await client.start();
  } catch (error) {
    const words = commandLine().join(" ");
    vscode.window.showErrorMessage(
      `Ludograph does not start (${words} lsp): ${error}. Install it with \`pip install ludograph[lsp]\`, ` +
        "or set ludograph.command.",
    );
  }
}

async function restart() {
  await client?.stop();
  await start();
}

/** The address of the game that a command is about: that of a code lens or menu, or the open file. */
function gameOf(/** @type {unknown} */ given) {
  if (typeof given === "string") return vscode.Uri.parse(given);
  if (given instanceof vscode.Uri) return given;
  return vscode.window.activeTextEditor?.document.uri;
}

/** Save a game, so that a command reads what the editor shows; undefined if it is in no file. */
async function savedFile(/** @type {unknown} */ given) {
  const uri = gameOf(given);
  if (uri === undefined || uri.scheme !== "file") {
    vscode.window.showWarningMessage("Save the game in a file first.");
    return undefined;
  }
  const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  if (document?.isDirty && !(await document.save())) return undefined;
  return uri;
}

/** Run a command of Ludograph with the game in a terminal of its own; the shell sees no file name. */
async function inTerminal(/** @type {string} */ command, /** @type {unknown} */ given) {
  const uri = await savedFile(given);
  if (uri === undefined) return;
  const [program, ...words] = commandLine();
  const terminal = vscode.window.createTerminal({
    name: `${command} ${path.basename(uri.fsPath)}`,
    shellPath: program,
    shellArgs: [...words, command, uri.fsPath],
    cwd: path.dirname(uri.fsPath),
  });
  terminal.show();
}

/** Show the start position of a game beside its source; the picture follows when the file is saved. */
async function preview(/** @type {unknown} */ given) {
  const uri = await savedFile(given);
  if (uri === undefined) return;
  const key = uri.toString();
  let panel = panels.get(key);
  if (panel === undefined) {
    panel = vscode.window.createWebviewPanel(
      "ludograph.board",
      `Board of ${path.basename(uri.fsPath)}`,
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: false, localResourceRoots: [] },
    );
    panel.onDidDispose(() => panels.delete(key));
    panels.set(key, panel);
  }
  panel.reveal(undefined, true);
  drawBoard(uri, panel);
}

function drawBoard(
  /** @type {import("vscode").Uri} */ uri,
  /** @type {import("vscode").WebviewPanel} */ panel,
) {
  const [program, ...words] = commandLine();
  const options = { cwd: path.dirname(uri.fsPath), maxBuffer: MAX_PICTURE_LENGTH };
  execFile(program, [...words, "render", uri.fsPath], options, (error, picture, messages) => {
    panel.webview.html = page(error === null ? asImage(picture) : `<pre>${escaped(messages || String(error))}</pre>`);
  });
}

/** The picture as an image: a browser runs nothing in it and loads nothing for it. */
function asImage(/** @type {string} */ picture) {
  const data = Buffer.from(picture, "utf8").toString("base64");
  return `<img alt="The board at the start of the game" src="data:image/svg+xml;base64,${data}">`;
}

function page(/** @type {string} */ body) {
  const policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Board</title>
<style>
body { margin: 0; padding: 8px; }
img { width: 100%; max-height: calc(100vh - 16px); object-fit: contain; }
pre { white-space: pre-wrap; }
</style>
</head>
<body>${body}</body>
</html>`;
}

function escaped(/** @type {string} */ text) {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

async function deactivate() {
  await client?.stop();
}

module.exports = { activate, deactivate };
