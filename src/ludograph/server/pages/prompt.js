// @ts-check
/**
 * The prompt of a seat: what was picked, the answers that need a button, and trays for quantities and lists.
 *
 * The board and the prompt show the same `ChoiceFilter`. A pick on either side narrows both. Answers to a click
 * on the board, such as the pieces of a promotion, open beside the place that was clicked.
 * @module
 */

import { ChoiceFilter, readableName, stepLabel } from "./choices.js";
import { create, fill } from "./dom.js";

/**
 * @typedef {import("./choices.js").SceneChoices} SceneChoices
 * @typedef {import("./choices.js").SceneMove} SceneMove
 */

const MAX_BUTTONS = 120;
/** More answers than this do not fit beside a place. */
const MAX_BESIDE = 12;

export class Prompt {
  /**
   * @param {HTMLElement} host
   * @param {object} listeners
   * @param {(move: SceneMove, isComplete: boolean) => void} listeners.onMove
   * @param {() => void} listeners.onChange something was picked or taken back
   * @param {(item: string, answers: HTMLElement | null) => void} listeners.onBeside shows answers beside an
   *   item of the board, or removes them
   * @param {() => void} listeners.onBack the last answer to the server shall be taken back
   */
  constructor(host, listeners) {
    this.host = host;
    this.listeners = listeners;
    this.filter = new ChoiceFilter();
    this.isBusy = false;
    /** @type {string[]} the answers of the unfinished move that the server has */
    this.chosen = [];
    /** The item that was clicked last. */
    this.lastItem = "";
  }

  /**
   * Show what can be chosen.
   * @param {SceneChoices} choices
   * @param {string[]} [chosen]
   */
  ask(choices, chosen = []) {
    this.filter = new ChoiceFilter(choices);
    this.isBusy = false;
    this.chosen = chosen;
    if (chosen.length === 0) this.lastItem = "";
    this.#show();
  }

  /** There is nothing to choose. */
  clear() {
    this.ask({});
  }

  /** The answer did not arrive or was refused: the player may choose again. */
  release() {
    this.filter.picked = [];
    this.filter.counts.clear();
    this.isBusy = false;
    this.#show();
  }

  /** @param {string} item */
  pickItem(item) {
    if (this.isBusy) return false;
    if (this.filter.pickItem(item)) {
      this.lastItem = item;
      this.#picked();
      return true;
    }
    if (!this.filter.unpickItem(item)) return false;
    this.#show();
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

  /** Play the only move that there is. */
  playSole() {
    const move = this.filter.isSole ? this.filter.moves[0] : undefined;
    if (move !== undefined && !this.isBusy) this.#finish(move);
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
    this.listeners.onMove(move, this.filter.isComplete);
  }

  #show() {
    const { filter } = this;
    /** @type {(HTMLElement | null)[]} */
    const parts = [];
    /** @type {HTMLElement | null} */
    let beside = null;
    const isCounting = [...filter.counts.values()].some((each) => each > 0);
    if (filter.picked.length > 0 || this.chosen.length > 0 || isCounting) parts.push(this.#crumbs());
    const { quantities, elements, table } = filter;
    if (table !== null) {
      parts.push(...this.#table(table.entries));
    } else if (quantities.length > 0 && filter.isComplete && (filter.needsDone || this.#asksOnly("add"))) {
      parts.push(this.#tray(quantities));
    } else if (elements.length > 0 && filter.isComplete && (filter.needsDone || this.#asksOnly("pick"))) {
      parts.push(...this.#toggles(elements));
    } else if (filter.remaining.length > 1 || filter.picked.length === 0) {
      const { words, answers } = this.#answers();
      parts.push(...words);
      if (answers !== null && this.#belongsBeside(answers)) beside = answers;
      else parts.push(answers);
    }
    const end = filter.needsDone ? (filter.complete ?? filter.shortest ?? this.#stopping()) : null;
    const shortest = end ?? (filter.picked.length > 0 && filter.remaining.length > 1 ? filter.shortest : null);
    if (shortest !== null) {
      parts.push(
        create(
          "button",
          { type: "button", class: "primary done", disabled: this.isBusy, onclick: () => this.#finish(shortest) },
          "Done",
        ),
      );
    }
    fill(this.host, ...parts);
    this.listeners.onBeside(this.lastItem, beside);
    this.listeners.onChange();
  }

  /**
   * Whether answers belong beside the place that was clicked.
   * @param {HTMLElement} answers
   */
  #belongsBeside(answers) {
    return (
      !this.isBusy &&
      this.lastItem !== "" &&
      (this.filter.picked.length > 0 || this.chosen.length > 0) &&
      answers.childElementCount <= MAX_BESIDE &&
      this.filter.targets.size === 0
    );
  }

  /** The move that ends a list or table here. */
  #stopping() {
    const isPart = (/** @type {number} */ each) => ["pick", "add"].includes(this.filter.steps[each]?.kind ?? "");
    const count = this.filter.picked.filter(isPart).length;
    const found = this.filter.remaining.filter((move) => move.steps.filter(isPart).length === count);
    return count > 0 && found.length === 1 ? (found[0] ?? null) : null;
  }

  #crumbs() {
    const isLocal = this.filter.picked.length > 0;
    return create(
      "div",
      { class: "crumbs", role: "group", "aria-label": "Chosen so far" },
      ...this.chosen.map((text) => create("span", { class: "crumb" }, readableName(text))),
      ...(isLocal ? this.filter.settled.map((each) => create("span", { class: "crumb" }, this.#label(each))) : []),
      create(
        "button",
        {
          type: "button",
          class: "plain",
          disabled: this.isBusy,
          onclick: () => {
            if (!this.back()) this.listeners.onBack();
          },
        },
        "Back ",
        create("kbd", {}, "Esc"),
      ),
    );
  }

  /** The words of the question, and its answers that need a button. */
  #answers() {
    const next = this.filter.next;
    const question = this.#question(next);
    // What is on the board needs no button.
    const buttons = next.filter((each) => !this.filter.steps[each]?.targets?.length);
    const shown = buttons.slice(0, MAX_BUTTONS);
    const isOnBoard = next.length > buttons.length;
    const words = [
      question && shown.length > 0 ? create("p", { class: "quiet" }, question) : null,
      isOnBoard ? create("p", { class: "quiet" }, this.#askForPlace(next)) : null,
      buttons.length > shown.length
        ? create("p", { class: "quiet" }, `${buttons.length - shown.length} more choices: type the move instead.`)
        : null,
    ];
    const answers =
      shown.length > 0
        ? create(
            "div",
            { class: "answers", role: "group", "aria-label": "Choices" },
            ...shown.map((each) => this.#button(each)),
          )
        : null;
    return { words, answers };
  }

  /**
   * Elements of a list: toggles for those that need a button, and how many are chosen.
   * @param {{step: number, count: number, canGrow: boolean}[]} elements
   */
  #toggles(elements) {
    const count = elements.reduce((sum, each) => sum + each.count, 0);
    const buttons = elements.filter(({ step }) => !this.filter.steps[step]?.targets?.length);
    const isOnBoard = elements.length > buttons.length;
    return [
      isOnBoard ? create("p", { class: "quiet" }, "Choose marked places; click one again to leave it out.") : null,
      buttons.length > 0
        ? create(
            "div",
            { class: "answers", role: "group", "aria-label": "Choose some" },
            ...buttons.slice(0, MAX_BUTTONS).map(({ step, count: chosen, canGrow }) =>
              create(
                "button",
                {
                  type: "button",
                  "aria-pressed": String(chosen > 0),
                  disabled: this.isBusy || (chosen === 0 && !canGrow),
                  onclick: () => {
                    if (chosen > 0) this.filter.unpick(step);
                    else this.filter.pick(step);
                    this.#show();
                  },
                },
                this.#swatch(step),
                this.#label(step),
              ),
            ),
          )
        : null,
      create("p", { class: "quiet", role: "status" }, describeCount(count, this.filter.bounds("pick"))),
    ];
  }

  /** @param {{step: number, count: number, canGrow: boolean}[]} quantities */
  #tray(quantities) {
    const total = quantities.reduce((sum, each) => sum + each.count, 0);
    const rows = quantities.map(({ step, count, canGrow }) => ({
      id: String(step),
      name: this.#label(step),
      swatch: this.#swatch(step),
      count,
      canGrow,
      change: (/** @type {number} */ by) => (by > 0 ? this.filter.pick(step) : this.filter.unpick(step)),
    }));
    return this.#steppers(rows, describeCount(total, this.filter.bounds("add")));
  }

  /**
   * The numbers of a loop as one tray.
   * @param {string[]} entries
   */
  #table(entries) {
    const { filter } = this;
    const rows = entries.map((entry) => ({
      id: `entry ${entry}`,
      name: readableName(entry),
      swatch: null,
      count: filter.counts.get(entry) ?? 0,
      canGrow: filter.canCount(entry),
      change: (/** @type {number} */ by) => filter.counts.set(entry, (filter.counts.get(entry) ?? 0) + by),
    }));
    const total = rows.reduce((sum, each) => sum + each.count, 0);
    const move = filter.counted;
    return [
      this.#steppers(rows, describeCount(total, filter.sums)),
      create(
        "button",
        {
          type: "button",
          class: "primary done",
          disabled: this.isBusy || move === null,
          onclick: () => {
            if (move !== null) this.#finish(move);
          },
        },
        "Done",
      ),
    ];
  }

  /**
   * A tray: for each row a name, a number, and buttons to count it up and down.
   * @param {{id: string, name: string, swatch: HTMLElement | null, count: number, canGrow: boolean,
   *   change: (by: number) => void}[]} rows
   * @param {string} words
   */
  #steppers(rows, words) {
    return create(
      "div",
      { class: "tray", role: "group", "aria-label": "Quantities" },
      ...rows.map((row) => {
        const button = (/** @type {1 | -1} */ by) =>
          create(
            "button",
            {
              type: "button",
              class: "icon",
              "aria-label": `one ${row.name} ${by > 0 ? "more" : "less"}`,
              "data-stepper": `${row.id} ${by}`,
              disabled: this.isBusy || (by > 0 ? !row.canGrow : row.count === 0),
              onclick: () => {
                row.change(by);
                this.#show();
                this.#focusStepper(`${row.id} ${by}`, `${row.id} ${-by}`);
              },
            },
            by > 0 ? "+" : "−",
          );
        return create(
          "div",
          { class: "quantity" },
          create("span", {}, row.swatch, row.name),
          button(-1),
          create("output", {}, row.count),
          button(1),
        );
      }),
      create("p", { class: "quiet", role: "status" }, words),
    );
  }

  /**
   * The focus stays on the button that was pressed, or moves to its neighbour.
   * @param {...string} ids
   */
  #focusStepper(...ids) {
    const buttons = [...this.host.querySelectorAll("button:not([disabled])")];
    for (const id of [...ids, undefined]) {
      const found = buttons.find((each) => each instanceof HTMLElement && each.dataset["stepper"] === id);
      if (found instanceof HTMLElement) {
        found.focus();
        return;
      }
    }
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
    if (!found) return "";
    // The action of a thing says which thing it is.
    const thing = found.kind === "action" && found.targets?.length ? found.text.split(".").slice(0, -1).join(".") : "";
    return thing ? `${stepLabel(found)} ${thing}` : stepLabel(found);
  }

  /** @param {number} number */
  #swatch(number) {
    const colour = this.filter.steps[number]?.colour;
    if (!colour) return null;
    const swatch = create("span", { class: "swatch", "aria-hidden": "true" });
    swatch.style.background = colour;
    return swatch;
  }

  /** @param {number} number */
  #button(number) {
    const step = this.filter.steps[number];
    if (!step) return null;
    return create(
      "button",
      { type: "button", disabled: this.isBusy, "data-step": number, onclick: () => this.pick(number) },
      this.#swatch(number),
      stepLabel(step),
      step.key ? create("kbd", {}, step.key) : null,
    );
  }
}

/**
 * How many are chosen and how many are left to choose.
 * @param {number} count
 * @param {{least: number, most: number}} bounds
 */
export function describeCount(count, { least, most }) {
  if (!Number.isFinite(most)) return `${count} chosen`;
  if (least === most) return `${count} of ${most} chosen, ${most - count} left`;
  if (count < least) return `${count} chosen, at least ${least - count} more`;
  return `${count} chosen, up to ${most - count} more`;
}
