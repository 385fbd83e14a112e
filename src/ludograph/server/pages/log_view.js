// @ts-check
/**
 * The log of a table: every entry is a button that shows the position after it. Undone moves are struck out.
 * @module
 */

import { create, fill } from "./dom.js";
import { countMoves, shortText } from "./stream_state.js";

/** @typedef {import("./stream_state.js").LogEntry} LogEntry */

/** A mark for each player, so that nothing depends on colour. */
export const MARKS = ["●", "▲", "■", "◆", "★", "⬟"];

/** @param {number} seat */
export function markOf(seat) {
  return seat < 0 ? "⚄" : (MARKS[seat] ?? String(seat + 1));
}

/**
 * A move as players write it.
 * @param {LogEntry} entry
 */
export function textOf(entry) {
  return entry.notation || entry.text;
}

/**
 * Whether an entry is chance that the notation of the move before it contains.
 * @param {LogEntry[]} log
 * @param {number} index
 */
function isPartOfMove(log, index) {
  let before = index;
  while (before >= 0 && log[before]?.kind === "move" && (log[before]?.seat ?? 0) < 0) before -= 1;
  return before < index && Boolean(log[before]?.notation);
}

export class LogView {
  /**
   * @param {HTMLElement} host
   * @param {(seat: number) => string} nameOf
   * @param {(count: number) => void} onLook shows the position after so many moves
   */
  constructor(host, nameOf, onLook) {
    this.host = host;
    this.nameOf = nameOf;
    this.onLook = onLook;
    /** @type {LogEntry[]} */
    this.log = [];
    /** @type {number | null} The number of moves after which the position is shown. */
    this.current = null;
    this.shown = "";
    /** @type {Set<number>} The entries with long runs of chance that are shown in full, by their indexes. */
    this.full = new Set();
  }

  /** @param {LogEntry[]} log */
  show(log) {
    const key = log.map((each) => this.nameOf(each.seat)).join();
    if (log === this.log && key === this.shown) return;
    this.log = log;
    this.shown = key;
    const counted = countMoves(log);
    const rows = log.map((entry, index) => this.#row(entry, index, counted[index] ?? { count: 0, counts: true }));
    fill(this.host, ...rows.filter((_, index) => !isPartOfMove(log, index)));
    this.host.scrollTop = this.host.scrollHeight;
    this.setCurrent(this.current);
  }

  /** @param {number | null} count */
  setCurrent(count) {
    this.current = count;
    for (const each of this.host.querySelectorAll("button")) {
      const isCurrent = count !== null && each.dataset["count"] === String(count);
      if (isCurrent) each.setAttribute("aria-current", "true");
      else each.removeAttribute("aria-current");
    }
  }

  /**
   * @param {LogEntry} entry
   * @param {number} index
   * @param {{count: number, counts: boolean}} counted
   */
  #row(entry, index, { count, counts }) {
    const name = this.nameOf(entry.seat);
    const who = create("span", { class: "who", title: name }, markOf(entry.seat));
    if (entry.kind === "undo") {
      const words = count > 0 ? `takes moves back, to move ${count}` : "takes moves back, to the start";
      return create("li", { class: "note" }, who, create("span", {}, words));
    }
    const [text, short] = [textOf(entry), shortText(entry)];
    if (!counts) {
      return create("li", { class: "note undone" }, who, create("s", { title: "taken back" }, short));
    }
    const shown = create("span", text === entry.text ? {} : { title: entry.text }, this.full.has(index) ? text : short);
    return create(
      "li",
      text === short ? {} : { class: "run" },
      create(
        "button",
        {
          type: "button",
          "data-count": count,
          "aria-label": `Move ${count}, ${name}: ${short}. Show this position`,
          onclick: () => this.onLook(count),
        },
        create("span", { class: "number", "aria-hidden": "true" }, count),
        who,
        shown,
      ),
      text === short ? null : this.#unfold(index, shown, text, short),
    );
  }

  /**
   * A button that shows a long run of chance in full, and again in short.
   * @param {number} index
   * @param {HTMLElement} host
   * @param {string} text
   * @param {string} short
   */
  #unfold(index, host, text, short) {
    const button = create("button", { type: "button", class: "unfold", "aria-label": "All outcomes" });
    const show = () => {
      const isFull = this.full.has(index);
      host.textContent = isFull ? text : short;
      button.textContent = isFull ? "less" : "all";
      button.setAttribute("aria-expanded", String(isFull));
    };
    button.addEventListener("click", () => {
      if (!this.full.delete(index)) this.full.add(index);
      show();
    });
    show();
    return button;
  }
}
