// @ts-check
/**
 * The prompt of a seat: what was picked, the answers that need a button, and trays for quantities.
 *
 * The board and the prompt show the same `ChoiceFilter`. A pick on either side narrows both.
 * @module
 */

import { ChoiceFilter, readableName, stepLabel } from "./choices.js";
import { create, fill } from "./dom.js";

/**
 * @typedef {import("./choices.js").SceneChoices} SceneChoices
 * @typedef {import("./choices.js").SceneMove} SceneMove
 */

const MAX_BUTTONS = 120;

export class Prompt {
  /**
   * @param {HTMLElement} host
   * @param {(move: SceneMove, isComplete: boolean) => void} onMove
   * @param {() => void} onChange something was picked or taken back
   */
  constructor(host, onMove, onChange) {
    this.host = host;
    this.onMove = onMove;
    this.onChange = onChange;
    this.filter = new ChoiceFilter();
    this.isBusy = false;
  }

  /**
   * Show what can be chosen. A question in the middle of a move that has one answer only is answered.
   * @param {SceneChoices} choices
   */
  ask(choices) {
    this.filter = new ChoiceFilter(choices);
    this.isBusy = false;
    this.#show();
  }

  /** There is nothing to choose. */
  clear() {
    this.ask({});
  }

  /** The answer did not arrive or was refused: the player may choose again. */
  release() {
    this.filter.picked = [];
    this.isBusy = false;
    this.#show();
  }

  /** @param {string} item */
  pickItem(item) {
    if (this.isBusy || !this.filter.pickItem(item)) return false;
    this.#picked();
    return true;
  }

  /** @param {number} step */
  pick(step) {
    if (this.isBusy) return;
    this.filter.pick(step);
    this.#picked();
  }

  back() {
    if (this.isBusy || !this.filter.back()) return false;
    this.#show();
    return true;
  }

  /**
   * Choose by key; whether the key belongs to a step.
   * @param {string} key
   */
  pressKey(key) {
    const found = this.filter.next.find((each) => this.filter.steps[each]?.key === key);
    if (found === undefined || this.isBusy) return false;
    this.pick(found);
    return true;
  }

  /** The items that are picked. */
  get selected() {
    return new Set(this.filter.picked.flatMap((each) => this.filter.steps[each]?.targets?.slice(0, 1) ?? []));
  }

  /** The items that can be clicked. */
  get targets() {
    return this.isBusy ? new Set() : this.filter.targets;
  }

  #picked() {
    const move = this.filter.complete;
    if (move === null || this.filter.needsDone) {
      this.#show();
      return;
    }
    this.#finish(move);
  }

  /** @param {SceneMove} move */
  #finish(move) {
    this.isBusy = true;
    this.#show();
    this.onMove(move, this.filter.isComplete);
  }

  #show() {
    const { filter } = this;
    const parts = [];
    if (filter.picked.length > 0) parts.push(this.#crumbs());
    const quantities = filter.quantities;
    if (quantities.length > 0 && (filter.needsDone || this.#asksOnly("add"))) {
      parts.push(this.#tray(quantities));
    } else if (filter.remaining.length > 1 || filter.picked.length === 0) {
      parts.push(...this.#answers());
    }
    const end = filter.needsDone ? (filter.complete ?? filter.shortest ?? this.#stopping()) : null;
    const shortest = end ?? (filter.picked.length > 0 && filter.remaining.length > 1 ? filter.shortest : null);
    if (shortest !== null) {
      parts.push(
        create(
          "button",
          { type: "button", class: "primary", disabled: this.isBusy, onclick: () => this.#finish(shortest) },
          "Done",
        ),
      );
    }
    fill(this.host, ...parts);
    this.onChange();
  }

  /** The move that ends a list or table here. */
  #stopping() {
    const counts = this.filter.picked.length;
    const found = this.filter.remaining.filter(
      (move) =>
        move.steps.filter((each) => ["pick", "add"].includes(this.filter.steps[each]?.kind ?? "")).length ===
        this.filter.picked.filter((each) => ["pick", "add"].includes(this.filter.steps[each]?.kind ?? "")).length,
    );
    return counts > 0 && found.length === 1 ? (found[0] ?? null) : null;
  }

  #crumbs() {
    return create(
      "div",
      { class: "crumbs", role: "group", "aria-label": "Chosen so far" },
      ...this.filter.settled.map((each) => create("span", { class: "crumb" }, this.#label(each))),
      create("button", { type: "button", class: "plain", disabled: this.isBusy, onclick: () => this.back() }, "Back (Esc)"),
    );
  }

  #answers() {
    const next = this.filter.next;
    const question = this.#question(next);
    // What is on the board needs no button.
    const buttons = next.filter((each) => !this.filter.steps[each]?.targets?.length);
    const shown = buttons.slice(0, MAX_BUTTONS);
    const isOnBoard = next.length > buttons.length;
    return [
      question && shown.length > 0 ? create("p", { class: "quiet" }, question) : null,
      isOnBoard ? create("p", { class: "quiet" }, this.#askForPlace(next)) : null,
      shown.length > 0
        ? create(
            "div",
            { class: "answers", role: "group", "aria-label": "Choices" },
            ...shown.map((each) => this.#button(each)),
          )
        : null,
      buttons.length > shown.length
        ? create("p", { class: "quiet" }, `… and ${buttons.length - shown.length} more; type the move instead.`)
        : null,
    ];
  }

  /** @param {{step: number, count: number, canGrow: boolean}[]} quantities */
  #tray(quantities) {
    const total = quantities.reduce((sum, each) => sum + each.count, 0);
    return create(
      "div",
      { class: "tray", role: "group", "aria-label": "Quantities" },
      ...quantities.map(({ step, count, canGrow }) => {
        const name = this.#label(step);
        return create(
          "div",
          { class: "quantity" },
          create("span", {}, name),
          create(
            "button",
            {
              type: "button",
              class: "icon",
              "aria-label": `one ${name} less`,
              disabled: this.isBusy || count === 0,
              onclick: () => {
                this.filter.unpick(step);
                this.#show();
              },
            },
            "−",
          ),
          create("output", {}, count),
          create(
            "button",
            {
              type: "button",
              class: "icon",
              "aria-label": `one ${name} more`,
              disabled: this.isBusy || !canGrow,
              onclick: () => {
                this.filter.pick(step);
                this.#show();
              },
            },
            "+",
          ),
        );
      }),
      create("p", { class: "quiet" }, `${total} chosen`),
    );
  }

  /**
   * Whether all steps that are asked for next have a kind.
   * @param {string} kind
   */
  #asksOnly(kind) {
    const next = this.filter.next;
    return next.length > 0 && next.every((each) => [kind, "stop"].includes(this.filter.steps[each]?.kind ?? ""));
  }

  /**
   * What is asked: the name of the input, if all next steps belong to one.
   * @param {number[]} next
   */
  #question(next) {
    const names = new Set(next.map((each) => this.filter.steps[each]?.name ?? ""));
    const isAction = next.some((each) => this.filter.steps[each]?.kind === "action");
    const [name] = names;
    return names.size !== 1 || isAction || !name ? "" : `Choose ${readableName(name).toLowerCase()}:`;
  }

  /** @param {number[]} next */
  #askForPlace(next) {
    const labels = new Set(next.flatMap((each) => (this.filter.steps[each]?.targets?.length ? [this.#verb(each)] : [])));
    const [label] = labels;
    return labels.size === 1 && label ? `${label}: choose a marked place.` : "Choose a marked place.";
  }

  /**
   * The words of the author for an action of a thing, such as “Move”.
   * @param {number} step
   */
  #verb(step) {
    const found = this.filter.steps[step];
    if (found?.kind !== "action") return "";
    return found.label || readableName(found.name);
  }

  /** @param {number} step */
  #label(step) {
    const found = this.filter.steps[step];
    return found ? stepLabel(found) : "";
  }

  /** @param {number} number */
  #button(number) {
    const step = this.filter.steps[number];
    if (!step) return null;
    const swatch = step.colour ? create("span", { class: "swatch", "aria-hidden": "true" }) : null;
    if (swatch && step.colour) swatch.style.background = step.colour;
    return create(
      "button",
      { type: "button", disabled: this.isBusy, "data-step": number, onclick: () => this.pick(number) },
      swatch,
      stepLabel(step),
      step.key ? create("kbd", {}, step.key) : null,
    );
  }
}
