// @ts-check
/**
 * The log of a table: every entry is a button that shows the position after it. Undone moves are struck out.
 * @module
 */

import { create, fill } from "./dom.js";
import { countMoves } from "./stream_state.js";

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
  }

  /** @param {LogEntry[]} log */
  show(log) {
    const key = log.map((each) => this.nameOf(each.seat)).join();
    if (log === this.log && key === this.shown) return;
    this.log = log;
    this.shown = key;
    const counted = countMoves(log);
    const rows = log.map((entry, index) => this.#row(entry, counted[index] ?? { count: 0, counts: true }));
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
   * @param {{count: number, counts: boolean}} counted
   */
  #row(entry, { count, counts }) {
    const name = this.nameOf(entry.seat);
    const who = create("span", { class: "who", title: name }, markOf(entry.seat));
    if (entry.kind === "undo") {
      const words = count > 0 ? `takes moves back, to move ${count}` : "takes moves back, to the start";
      return create("li", { class: "note" }, who, create("span", {}, words));
    }
    const text = textOf(entry);
    if (!counts) {
      return create("li", { class: "note undone" }, who, create("s", { title: "taken back" }, text));
    }
    return create(
      "li",
      {},
      create(
        "button",
        {
          type: "button",
          "data-count": count,
          "aria-label": `Move ${count}, ${name}: ${text}. Show this position`,
          onclick: () => this.onLook(count),
        },
        create("span", { class: "number", "aria-hidden": "true" }, count),
        who,
        create("span", text === entry.text ? {} : { title: entry.text }, text),
      ),
    );
  }
}
