// @ts-check
/**
 * The people at a table: who sits where, whom the game waits for, free seats and the links of invited ones.
 * @module
 */

import { create, fill, get } from "./dom.js";
import { markOf } from "./log_view.js";

export class PeopleView {
  /**
   * @param {(seat: number) => string} nameOf
   * @param {(seat: number, name: string) => void} onJoin
   */
  constructor(nameOf, onJoin) {
    this.nameOf = nameOf;
    this.onJoin = onJoin;
    /** @type {any[]} the links of invited seats, which only the creator has */
    this.links = [];
    this.shownJoining = "";
  }

  /**
   * @param {any} table
   * @param {number[]} waiting the seats that the game waits for
   * @param {number[]} own the seats of this session
   */
  show(table, waiting, own) {
    fill(
      get("people"),
      ...table.seats.map((/** @type {any} */ seat) => this.#row(seat, waiting.includes(seat.seat), own.includes(seat.seat))),
    );
    this.#showJoining(table);
  }

  /**
   * @param {any} seat
   * @param {boolean} isAsked
   * @param {boolean} isOwn
   */
  #row(seat, isAsked, isOwn) {
    const note = isAsked ? (seat.kind === "bot" || seat.is_taken_over ? "thinking …" : "to move") : "";
    return create(
      "li",
      { "data-seat": seat.seat, class: isAsked ? "asked" : "" },
      create("span", { class: `who player${seat.seat % 6}`, "aria-hidden": "true" }, markOf(seat.seat)),
      create("span", { class: "grow" }, this.nameOf(seat.seat)),
      create("span", { class: "quiet" }, describeSeat(seat, isOwn)),
      note ? create("span", { class: "badge" }, note) : null,
    );
  }

  /** @param {any} table */
  #showJoining(table) {
    const open = table.seats.filter((/** @type {any} */ seat) => seat.kind === "open");
    const invitations = this.links.filter((link) => open.some((/** @type {any} */ seat) => seat.seat === link.seat));
    const isShown = table.stage === "waiting" && open.length > 0;
    get("join-panel").hidden = !isShown;
    const state = JSON.stringify([open, invitations]);
    if (!isShown || state === this.shownJoining) return;
    this.shownJoining = state;
    const invited = new Set(this.links.map((link) => link.seat));
    const free = open.filter((/** @type {any} */ seat) => !invited.has(seat.seat));
    const name = create("input", { maxlength: 40, autocomplete: "nickname", placeholder: "Your name" });
    fill(
      get("join"),
      ...invitations.map((link) => invitation(link)),
      free.length > 0 ? create("label", { class: "field" }, "Your name", name) : null,
      ...free.map((/** @type {any} */ seat) =>
        create(
          "button",
          { type: "button", onclick: () => this.onJoin(seat.seat, name.value.trim()) },
          `Play as ${markOf(seat.seat)} player ${seat.seat + 1}`,
        ),
      ),
    );
  }
}

/**
 * @param {any} seat
 * @param {boolean} isOwn
 */
function describeSeat(seat, isOwn) {
  if (seat.kind === "open") return "free";
  if (seat.kind === "bot") return "";
  if (seat.is_taken_over) return "away, a bot plays";
  return seat.online || isOwn ? "" : "offline";
}

/** @param {any} link */
function invitation(link) {
  const address = new URL(link.path, location.href).href;
  const field = create("input", { readonly: true, value: address, "aria-label": `Link for player ${link.seat + 1}` });
  return create(
    "div",
    { class: "field" },
    create("span", {}, `Send this link to ${markOf(link.seat)} player ${link.seat + 1}:`),
    create("div", { class: "row" }, field, copyButton(() => address, "Copy", field)),
  );
}

/**
 * A button that copies a text; without access to the clipboard it selects the text in a field.
 * @param {() => string} text
 * @param {string} label
 * @param {HTMLInputElement} [field]
 */
export function copyButton(text, label, field) {
  return create(
    "button",
    {
      type: "button",
      onclick: async (/** @type {any} */ event) => {
        const button = event.target;
        try {
          await navigator.clipboard.writeText(text());
          button.textContent = "Copied";
        } catch {
          if (field) field.select();
          button.textContent = field ? "Selected: copy it" : text();
        }
      },
    },
    label,
  );
}
