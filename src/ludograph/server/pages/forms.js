// @ts-check
/**
 * Forms for moves that no list contains. A move with two tables of numbers over the same keys is a trade: its
 * trays are always there, also while it is not possible. Nothing here knows a game.
 * @module
 */

import { readableName } from "./choices.js";
import { create, fill } from "./dom.js";

/**
 * @typedef {object} Field
 * @property {"value" | "list" | "table"} kind
 * @property {string} name
 * @property {string[]} values
 * @property {string} [key]
 * @property {string} [label]
 * @property {string} [colour]
 * @property {string[]} [value_labels]
 * @property {number} [least]
 * @property {number | null} [most]
 * @property {number} [given]
 * @property {boolean} [names_players]
 */

/**
 * @typedef {object} Form
 * @property {string} action
 * @property {string} [label]
 * @property {Field[]} [fields]
 * @property {string} [refusal]
 * @property {boolean} [is_trade]
 */

/** @typedef {{seat: number, name: string, mark: string, words: string}} Chip an answering player */

/**
 * The tables of a form: fields with the same name and different keys, by their names.
 * @param {Form} form
 * @returns {Map<string, Field[]>}
 */
export function tablesOf(form) {
  /** @type {Map<string, Field[]>} */
  const tables = new Map();
  for (const field of form.fields ?? []) {
    const isNumber = field.kind === "value" && field.values.every((each) => /^\d+$/.test(each));
    if (field.key && isNumber) tables.set(field.name, [...(tables.get(field.name) ?? []), field]);
  }
  return tables;
}

/**
 * Whether a form is a trade: two tables over the same keys.
 * @param {Form} form
 */
export function isTrade(form) {
  const [one, two, ...others] = [...tablesOf(form).values()];
  return (
    one !== undefined &&
    two !== undefined &&
    others.length === 0 &&
    one.length > 1 &&
    one.map((each) => each.key).join() === two.map((each) => each.key).join()
  );
}

/**
 * The text of a move. A value is a text, a list several texts, a table a number for each key.
 * @param {Form} form
 * @param {Map<Field, string | string[] | Map<string, number>>} answers
 */
export function moveText(form, answers) {
  const parts = (form.fields ?? []).map((field) => {
    const answer = answers.get(field) ?? "";
    if (answer instanceof Map) {
      const counts = [...answer].filter(([, count]) => count > 0).map(([key, count]) => `${key}: ${count}`);
      return `${field.name}: {${counts.join(", ")}}`;
    }
    return `${field.name}: ${Array.isArray(answer) ? `{${answer.join(", ")}}` : answer}`;
  });
  return parts.length > 0 ? `${form.action}(${parts.join(", ")})` : form.action;
}

export class FormsPanel {
  /**
   * @param {HTMLElement} tradeHost
   * @param {HTMLElement} formsHost
   * @param {(text: string) => void} onPlay
   * @param {(seat: number) => string} nameOf
   */
  constructor(tradeHost, formsHost, onPlay, nameOf) {
    this.tradeHost = tradeHost;
    this.formsHost = formsHost;
    this.onPlay = onPlay;
    this.nameOf = nameOf;
    /** @type {Form | null} the trade that is shown */
    this.trade = null;
    /** @type {Form | null} the last trade that was possible and no answer */
    this.opening = null;
    /** Why it is not possible now; empty if it is. */
    this.refusal = "";
    /** @type {Map<string, number>} the numbers of the trays, by `name key` */
    this.numbers = new Map();
    /** @type {Set<string> | null} the values of its list; null: all */
    this.partners = null;
    this.given = "";
    /** @type {Chip[]} */
    this.chips = [];
    this.shown = "";
  }

  /**
   * Whether the trade answers an offer of somebody else.
   * @param {Form[]} forms
   */
  static answersOffer(forms) {
    return forms.some((form) => isTrade(form) && isAnswer(form));
  }

  /**
   * @param {Form[]} forms
   * @param {Chip[]} chips the players who answer one's offer
   */
  show(forms, chips) {
    const possible = forms.filter((form) => !form.refusal);
    const trade = possible.find(isTrade) ?? null;
    if (trade !== null && !isAnswer(trade)) this.opening = trade;
    if (trade !== null) this.#setTrade(trade);
    else this.trade = this.opening; // an answer is shown only while there is something to answer
    const refused = forms.find((form) => form.action === this.trade?.action) ?? forms.find((form) => form.is_trade);
    this.refusal = trade !== null ? "" : (refused?.refusal ?? "");
    this.chips = chips;
    // The panel is drawn anew only if something changed, so that the focus stays.
    const shown = JSON.stringify([forms, chips]);
    if (shown === this.shown) return;
    this.shown = shown;
    this.#showTrade(forms.find((form) => form.is_trade) ?? null);
    fill(this.formsHost, ...possible.filter((form) => form !== trade).map((form) => this.#form(form)));
    this.formsHost.hidden = this.formsHost.childElementCount === 0;
  }

  /** @param {Form} trade */
  #setTrade(trade) {
    const given = JSON.stringify([trade.action, ...(trade.fields ?? []).map((each) => each.given ?? 0)]);
    if (given !== this.given) {
      this.given = given;
      this.numbers = new Map((trade.fields ?? []).map((each) => [`${each.name} ${each.key ?? ""}`, each.given ?? 0]));
    }
    this.trade = trade;
  }

  /** @param {Form | null} [unknown] a trade that was not possible yet */
  #showTrade(unknown = null) {
    const trade = this.trade;
    this.tradeHost.hidden = trade === null && unknown === null;
    if (trade === null) {
      const words = unknown?.refusal ? `Not now: ${unknown.refusal}.` : "";
      fill(this.tradeHost, create("h2", {}, "Trade"), create("p", { class: "quiet" }, words));
      return;
    }
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset["focus"] : "";
    const [one, two] = [...tablesOf(trade).entries()];
    if (one === undefined || two === undefined) return;
    fill(
      this.tradeHost,
      create("h2", {}, "Trade"),
      isAnswer(trade) ? create("p", { class: "quiet" }, "Answer with another offer; it begins with theirs.") : null,
      this.chips.length > 0 ? this.#chips() : null,
      create("div", { class: "trays" }, ...[one, two].map(([name, fields]) => this.#tray(name, fields))),
      this.#partners(),
      create("p", { class: "quiet", role: "status" }, this.refusal ? `Not now: ${this.refusal}.` : this.#summary(one[1], two[1])),
      create(
        "button",
        {
          type: "button",
          class: "primary",
          "data-focus": "offer",
          disabled: this.refusal !== "" || !this.#isOffer(one[1], two[1]),
          onclick: () => this.onPlay(moveText(trade, this.#answers(trade))),
        },
        isAnswer(trade) ? "Offer this instead" : trade.label || "Offer",
      ),
    );
    if (focused) {
      const again = this.tradeHost.querySelector(`[data-focus="${CSS.escape(focused)}"]:not([disabled])`);
      if (again instanceof HTMLElement) again.focus();
    }
  }

  /** @param {Field} field */
  #number(field) {
    return this.numbers.get(`${field.name} ${field.key ?? ""}`) ?? 0;
  }

  /**
   * @param {Field[]} give
   * @param {Field[]} get
   */
  #isOffer(give, get) {
    const hasPartners = this.#partnerField() === undefined || this.#chosenPartners().length > 0;
    return hasPartners && [give, get].every((side) => side.some((each) => this.#number(each) > 0));
  }

  /**
   * @param {Field[]} give
   * @param {Field[]} get
   */
  #summary(give, get) {
    if (![...give, ...get].some((each) => this.#number(each) > 0)) return "Choose what to give and what to get.";
    const words = (/** @type {Field[]} */ side) =>
      side
        .filter((each) => this.#number(each) > 0)
        .map((each) => `${this.#number(each)} ${(each.label || readableName(each.key ?? "")).toLowerCase()}`)
        .join(", ") || "nothing";
    return `${words(give)} for ${words(get)}`;
  }

  /**
   * @param {string} name
   * @param {Field[]} fields
   */
  #tray(name, fields) {
    const title = `You ${readableName(name).toLowerCase()}`;
    return create(
      "div",
      { class: "tray", role: "group", "aria-label": title },
      create("strong", {}, title),
      ...fields.map((field) => this.#stepper(field)),
    );
  }

  /** @param {Field} field */
  #stepper(field) {
    const name = field.label || readableName(field.key ?? "");
    const most = Math.max(...field.values.map(Number));
    const count = this.#number(field);
    const swatch = create("span", { class: "swatch", "aria-hidden": "true" });
    if (field.colour) swatch.style.background = field.colour;
    /** @param {number} change */
    const button = (change) =>
      create(
        "button",
        {
          type: "button",
          class: "icon",
          "data-focus": `${field.name} ${field.key} ${change}`,
          "aria-label": `${field.name}: one ${name} ${change > 0 ? "more" : "less"}`,
          disabled: this.refusal !== "" || (change > 0 ? count >= most : count <= 0),
          onclick: () => {
            this.numbers.set(`${field.name} ${field.key ?? ""}`, count + change);
            this.#showTrade();
          },
        },
        change > 0 ? "+" : "−",
      );
    const bound = this.refusal ? "" : `up to ${most}`;
    return create(
      "div",
      { class: "quantity" },
      create("span", {}, field.colour ? swatch : null, name, create("small", { class: "quiet" }, bound)),
      button(-1),
      create("output", {}, count),
      button(1),
    );
  }

  #partnerField() {
    return (this.trade?.fields ?? []).find((each) => each.kind === "list" && each.names_players);
  }

  #chosenPartners() {
    const values = this.#partnerField()?.values ?? [];
    return values.filter((each) => this.partners === null || this.partners.has(each));
  }

  /** The players whom the offer is for: one toggle each. */
  #partners() {
    const field = this.#partnerField();
    if (field === undefined) return null;
    const chosen = new Set(this.#chosenPartners());
    return create(
      "div",
      { class: "chips", role: "group", "aria-label": "The offer is for" },
      ...field.values.map((value) =>
        create(
          "button",
          {
            type: "button",
            class: "chip",
            "data-focus": `partner ${value}`,
            "aria-pressed": String(chosen.has(value)),
            disabled: this.refusal !== "",
            onclick: () => {
              if (chosen.has(value)) chosen.delete(value);
              else chosen.add(value);
              this.partners = chosen;
              this.#showTrade();
            },
          },
          `${chosen.has(value) ? "✓ " : ""}${this.nameOf(Number(value))}`,
        ),
      ),
    );
  }

  /** One chip for each player who answers. */
  #chips() {
    return create(
      "ul",
      { class: "chips", "aria-label": "Answers" },
      ...this.chips.map((each) =>
        create("li", { class: "chip", "data-seat": each.seat }, `${each.mark} ${each.name}: `, create("strong", {}, each.words)),
      ),
    );
  }

  /** @param {Form} form */
  #answers(form) {
    /** @type {Map<Field, string | string[] | Map<string, number>>} */
    const answers = new Map();
    const partner = this.#partnerField();
    for (const field of form.fields ?? []) {
      if (field === partner) answers.set(field, this.#chosenPartners());
      else if (field.key) answers.set(field, String(this.#number(field)));
      else answers.set(field, field.kind === "value" ? (field.values[0] ?? "") : field.values);
    }
    return answers;
  }

  /**
   * Any other move that no list contains: a button, and a field for each question.
   * @param {Form} form
   */
  #form(form) {
    const inputs = (form.fields ?? []).map((field) => fieldInput(field, this.nameOf));
    const label = form.label || readableName(form.action);
    const play = () => {
      const answers = new Map(inputs.map(({ field, read }) => [field, read()]));
      this.onPlay(moveText(form, answers));
    };
    const button = create("button", { type: "button", onclick: play }, label);
    if (inputs.length === 0) return create("div", { class: "row" }, button);
    return create("details", {}, create("summary", {}, label), ...inputs.map((each) => each.element), button);
  }
}

/**
 * Whether a form answers the offer of somebody else: it begins with numbers, and names no players.
 * @param {Form} form
 */
function isAnswer(form) {
  const fields = form.fields ?? [];
  return fields.some((each) => (each.given ?? 0) > 0) && !fields.some((each) => each.names_players);
}

/**
 * The input of a field, and how to read it.
 * @param {Field} field
 * @param {(seat: number) => string} nameOf
 * @returns {{field: Field, element: HTMLElement, read: () => string | string[] | Map<string, number>}}
 */
function fieldInput(field, nameOf) {
  const name = readableName(field.name) + (field.key ? `, ${field.label || field.key}` : "");
  const words = (/** @type {string} */ value, /** @type {number} */ index) =>
    field.names_players ? nameOf(Number(value)) : (field.value_labels?.[index] ?? value);
  if (field.kind === "value") {
    const select = create(
      "select",
      {},
      ...field.values.map((value, index) => create("option", { value }, words(value, index))),
    );
    return { field, element: create("label", { class: "field" }, name, select), read: () => select.value };
  }
  const boxes = field.values.map((value, index) => {
    const box =
      field.kind === "list"
        ? create("input", { type: "checkbox" })
        : create("input", { type: "number", min: 0, max: field.most ?? undefined, value: 0 });
    return { value, box, element: create("label", { class: "row" }, box, words(value, index)) };
  });
  return {
    field,
    element: create("fieldset", {}, create("legend", {}, name), ...boxes.map((each) => each.element)),
    read: () =>
      field.kind === "list"
        ? boxes.filter(({ box }) => box.checked).map(({ value }) => value)
        : new Map(boxes.map(({ value, box }) => [value, Number(box.value) || 0])),
  };
}
