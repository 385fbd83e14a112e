// @ts-check
/**
 * Opening a replay: a pasted or dropped text, a table whose game is over, or one of my replays.
 * @module
 */

import { RequestFailed, request } from "./api.js";
import { create, fill, get } from "./dom.js";

/** @typedef {{severity: string, message: string, code: string, line: number, column: number, hint: string}} Finding */

const NOTATIONS = [
  ["", "find out from the text"],
  ["record", "record of any game"],
  ["han", "HAN"],
  ["hsn", "HSN"],
  ["cgn", "CGN"],
  ["sgn", "SGN"],
  ["ccn", "CCN"],
  ["catanatron", "catanatron"],
  ["jsettlers", "JSettlers"],
  ["catanlog", "catanlog"],
];
const MAX_BYTES = 400_000;
const MAX_SHOWN = 12;

export class Opening {
  /** @param {(replay: any) => void} onOpen */
  constructor(onOpen) {
    this.onOpen = onOpen;
    this.name = "";
    fill(get("open-notation"), ...NOTATIONS.map(([value, words]) => create("option", { value }, words)));
    get("open-form").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.openText();
    });
    get("open-file").addEventListener("change", (event) => {
      const file = /** @type {HTMLInputElement} */ (event.target).files?.[0];
      if (file) void this.openFile(file);
    });
    this.#listenForDrops();
  }

  #listenForDrops() {
    const drop = get("drop");
    document.addEventListener("dragover", (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      drop.hidden = false;
    });
    document.addEventListener("dragleave", (event) => {
      if (event.relatedTarget === null) drop.hidden = true;
    });
    document.addEventListener("drop", (event) => {
      drop.hidden = true;
      const file = event.dataTransfer?.files[0];
      if (!file) return;
      event.preventDefault();
      void this.openFile(file);
    });
  }

  async show() {
    get("opening").hidden = false;
    get("viewer").hidden = true;
    document.title = "Replays – Ludograph";
    await this.showOwn();
  }

  async showOwn() {
    const { replays } = await request("/api/replays");
    get("no-own").hidden = replays.length > 0;
    fill(get("own"), ...replays.map((/** @type {any} */ each) => this.#row(each)));
  }

  /** @param {any} replay */
  #row(replay) {
    const day = new Date(replay.created * 1000).toLocaleDateString();
    const variations = replay.variations > 0 ? ` · ${replay.variations} moves in variations` : "";
    return create(
      "li",
      {},
      create(
        "span",
        { class: "grow" },
        create("strong", {}, replay.title),
        " ",
        create("span", { class: "quiet" }, `${replay.game_title === replay.title ? "" : `${replay.game_title} · `}${day}${variations}`),
      ),
      create("a", { class: "button", href: `/replay.html#id=${replay.id}`, "aria-label": `Open ${replay.title}` }, "Open"),
      create(
        "button",
        { type: "button", class: "plain", "aria-label": `Delete ${replay.title}`, onclick: () => void this.#delete(replay) },
        "Delete",
      ),
    );
  }

  /** @param {any} replay */
  async #delete(replay) {
    if (!confirm(`Delete “${replay.title}” with its variations and notes?`)) return;
    try {
      await request(`/api/replays/${replay.id}/delete`, { method: "POST", body: {} });
      await this.showOwn();
    } catch (error) {
      this.fail(error);
    }
  }

  /** @param {File} file */
  async openFile(file) {
    if (file.size > MAX_BYTES) {
      this.#show([finding(`the file has ${file.size.toLocaleString()} bytes, and a game at most ${MAX_BYTES.toLocaleString()}`)]);
      return;
    }
    field("open-text").value = await file.text();
    this.name = file.name;
    await this.openText();
  }

  async openText() {
    const text = field("open-text").value;
    if (!text.trim()) {
      this.#show([finding("There is no text yet: paste a game, or choose a file.")]);
      return;
    }
    if (text.length > MAX_BYTES) {
      this.#show([finding(`The text has ${text.length.toLocaleString()} characters, and a game at most ${MAX_BYTES.toLocaleString()}.`)]);
      return;
    }
    await this.open({
      text,
      name: this.name,
      notation: field("open-notation").value,
      lenient: /** @type {HTMLInputElement} */ (get("open-lenient")).checked,
      number: Math.max(1, Number(field("open-number").value) || 1),
      source: field("open-source").value,
    });
    this.name = "";
  }

  /** @param {Record<string, unknown>} wanted */
  async open(wanted) {
    const button = /** @type {HTMLButtonElement} */ (get("open-button"));
    button.disabled = true;
    button.textContent = "Reading …";
    this.#show([]);
    try {
      const opened = await request("/api/replays", { method: "POST", body: wanted });
      if (opened.replay) {
        this.onOpen(opened.replay);
        return;
      }
      this.#showAgain();
      this.#show(opened.findings);
    } catch (error) {
      this.fail(error);
    } finally {
      button.disabled = false;
      button.textContent = "Show the game";
    }
  }

  /** @param {unknown} error */
  fail(error) {
    if (!(error instanceof RequestFailed)) throw error;
    this.#showAgain();
    this.#show([finding(error.message)]);
  }

  #showAgain() {
    get("opening").hidden = false;
    get("viewer").hidden = true;
  }

  /** @param {Finding[]} findings */
  #show(findings) {
    fill(get("open-findings"), findings.length > 0 ? findingList(findings) : null);
    const place = findings.find((each) => each.severity === "error" && each.line > 0);
    if (place) selectPlace(/** @type {HTMLTextAreaElement} */ (get("open-text")), place.line, place.column);
  }
}

/**
 * The first error as a message, and everything else that was noticed below it.
 * @param {Finding[]} findings
 */
export function findingList(findings) {
  const [first, ...others] = [...findings].sort((one, two) => rank(one) - rank(two));
  if (!first) return null;
  const isBad = first.severity === "error";
  return create(
    "div",
    { class: isBad ? "notice" : "notice mild" },
    describeFinding(first),
    others.length > 0
      ? create(
          "details",
          {},
          create("summary", {}, `${others.length} more`),
          create("ul", {}, ...others.slice(0, MAX_SHOWN).map((each) => create("li", {}, describeFinding(each)))),
          others.length > MAX_SHOWN ? create("p", {}, `and ${others.length - MAX_SHOWN} others`) : null,
        )
      : null,
  );
}

/** @param {Finding} finding */
function rank(finding) {
  return ["error", "warning", "note"].indexOf(finding.severity);
}

/** @param {Finding} found */
function describeFinding(found) {
  const place = found.line > 0 ? `Line ${found.line}, column ${found.column}: ` : "";
  const hint = found.hint ? ` (${found.hint})` : "";
  const message = place ? found.message : found.message.replace(/^./, (first) => first.toUpperCase());
  return `${place}${message}${hint}${found.code ? ` [${found.code}]` : ""}`;
}

/**
 * A message of the page itself.
 * @param {string} message
 * @returns {Finding}
 */
function finding(message) {
  return { severity: "error", message, code: "", line: 0, column: 0, hint: "" };
}

/**
 * Select the rest of the line at a place of the text.
 * @param {HTMLTextAreaElement} area
 * @param {number} line
 * @param {number} column
 */
function selectPlace(area, line, column) {
  const lines = area.value.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
  const end = Math.max(start + 1, start + ((lines[line - 1] ?? "").length - column + 1));
  if (start > area.value.length) return;
  area.focus();
  area.setSelectionRange(start, Math.min(end, start + 40));
}

/** @param {string} id */
function field(id) {
  return /** @type {HTMLInputElement} */ (get(id));
}
