// @ts-check
/**
 * The prompt of a seat: what was picked, the answers that need a button, and trays for quantities.
 *
 * The board and the prompt show the same `ChoiceFilter`. A pick on either side narrows both.
 * @module
 */

import { ChoiceFilter, candidateLabel, readableName } from "./choices.js";
import { create, fill } from "./dom.js";

/** @typedef {import("./choices.js").Candidate} Candidate */

const MAX_BUTTONS = 200;

export class Prompt {
  /**
   * @param {HTMLElement} host
   * @param {(move: number) => void} onMove the number of the complete move
   * @param {() => void} onChange something was picked or taken back
   */
  constructor(host, onMove, onChange) {
    this.host = host;
    this.onMove = onMove;
    this.onChange = onChange;
    this.filter = new ChoiceFilter([], []);
    this.isBusy = false;
  }

  /**
   * @param {Candidate[]} candidates
   * @param {number[][]} moves
   */
  ask(candidates, moves) {
    this.filter = new ChoiceFilter(candidates, moves);
    this.isBusy = false;
    this.#show();
  }

  /** There is nothing to answer. */
  clear() {
    this.ask([], []);
  }

  /** An answer is on its way; further clicks wait for it. */
  wait() {
    this.isBusy = true;
    this.#show();
  }

  /** @param {string} item */
  pickItem(item) {
    if (this.isBusy || !this.filter.pickItem(item)) return false;
    this.#picked();
    return true;
  }

  /** @param {number} candidate */
  pick(candidate) {
    if (this.isBusy) return;
    this.filter.pick(candidate);
    this.#picked();
  }

  back() {
    if (this.isBusy || !this.filter.back()) return false;
    this.#show();
    return true;
  }

  /**
   * Choose by key; whether the key belongs to a candidate.
   * @param {string} key
   */
  pressKey(key) {
    const found = this.filter.next.find((each) => this.#keyOf(each) === key);
    if (found === undefined || this.isBusy) return false;
    this.pick(found);
    return true;
  }

  /** The items that are picked. */
  get selected() {
    return new Set(this.filter.picked.flatMap((each) => this.filter.candidates[each]?.items ?? []));
  }

  #picked() {
    const move = this.filter.complete;
    if (move === null) {
      this.#show();
      return;
    }
    this.wait();
    this.onMove(move);
  }

  #show() {
    const { filter } = this;
    const crumbs = filter.settled.map((each) => this.#crumb(each));
    const parts = [];
    if (filter.picked.length > 0) {
      parts.push(
        create(
          "div",
          { class: "crumbs", role: "group", "aria-label": "Chosen so far" },
          ...crumbs,
          create("button", { type: "button", class: "plain", onclick: () => this.back() }, "Back (Esc)"),
        ),
      );
    }
    const next = filter.next;
    const shown = next.slice(0, MAX_BUTTONS);
    const question = this.#question(next);
    if (question) parts.push(create("p", { class: "quiet" }, question));
    if (shown.length > 0) {
      const label = "Answers";
      parts.push(
        create("div", { class: "answers", role: "group", "aria-label": label }, ...shown.map((each) => this.#button(each))),
      );
    }
    const shortest = filter.picked.length > 0 ? filter.shortest : null;
    if (shortest !== null) {
      parts.push(
        create("button", { type: "button", class: "primary", onclick: () => this.#finish(shortest) }, "Done"),
      );
    }
    fill(this.host, ...parts);
    this.onChange();
  }

  /** @param {number} move */
  #finish(move) {
    this.wait();
    this.onMove(move);
  }

  /**
   * What is asked: the name of the input, if all next candidates belong to one.
   * @param {number[]} next
   */
  #question(next) {
    const names = new Set(next.map((each) => this.filter.candidates[each]?.name ?? ""));
    const kinds = new Set(next.map((each) => this.filter.candidates[each]?.kind ?? ""));
    const [name] = names;
    if (names.size !== 1 || kinds.has("action") || !name) return "";
    return `Choose ${readableName(name).toLowerCase()}:`;
  }

  /** @param {number} number */
  #crumb(number) {
    const candidate = this.filter.candidates[number];
    return create("span", { class: "crumb" }, candidate ? candidateLabel(candidate) : "");
  }

  /** @param {number} number */
  #keyOf(number) {
    return this.filter.candidates[number]?.key ?? "";
  }

  /** @param {number} number */
  #button(number) {
    const candidate = this.filter.candidates[number];
    if (!candidate) return null;
    const key = this.#keyOf(number);
    const swatch = candidate.colour ? create("span", { class: "swatch", "aria-hidden": "true" }) : null;
    if (swatch && candidate.colour) swatch.style.background = candidate.colour;
    return create(
      "button",
      {
        type: "button",
        disabled: this.isBusy,
        "data-candidate": number,
        onclick: () => this.pick(number),
      },
      swatch,
      candidateLabel(candidate),
      key ? create("kbd", {}, key) : null,
    );
  }
}
