// @ts-check
/**
 * Variations of a replay: what can be done at a moment, what chance shall bring, and the bot's best moves.
 * @module
 */

import { RequestFailed, request } from "./api.js";
import { announce, create, fill, get } from "./dom.js";
import { Prompt } from "./prompt.js";

/**
 * @typedef {object} Place Where the reader is.
 * @property {string} replay
 * @property {number} node
 */

/**
 * @typedef {object} Surroundings What the page does for a study.
 * @property {() => Place} place
 * @property {() => Promise<void>} ensureOwn make the replay one's own before it is changed
 * @property {(nodes: any[]) => void} onPlayed new nodes; the last one is the new position
 * @property {(scene: any) => void} onScene show a scene with choices
 * @property {(targets: Iterable<string>, selected: Set<string>) => void} onTargets
 * @property {(seat: number) => string} nameOf
 * @property {(error: unknown) => void} fail
 */

/**
 * @typedef {object} WantedMove
 * @property {string} [text]
 * @property {string[]} [choices]
 * @property {string[]} [outcomes]
 * @property {boolean} [draw]
 */

export class Study {
  /** @param {Surroundings} surroundings */
  constructor(surroundings) {
    this.page = surroundings;
    this.isVarying = false;
    this.seat = 0;
    /** @type {string[]} the answers to the questions of a move that is not complete */
    this.chosen = [];
    this.isAsking = false;
    this.prompt = new Prompt(get("answers"), {
      onMove: (move, isComplete) =>
        void this.#play(isComplete ? { text: move.text } : { choices: [...this.chosen, ...this.#textsOf(move)] }),
      onChange: () => this.page.onTargets(this.prompt?.targets ?? [], this.prompt?.selected ?? new Set()),
      onBeside: (_, answers) => fill(get("beside"), answers),
      onBack: () => void this.ask(),
    });
    get("vary").addEventListener("click", () => this.toggle());
    get("best").addEventListener("click", () => void this.showBest());
    get("move-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const text = field("move-text").value.trim();
      if (text) void this.#play({ text });
    });
  }

  toggle() {
    this.isVarying = !this.isVarying;
    get("vary").setAttribute("aria-pressed", String(this.isVarying));
    get("varying").hidden = !this.isVarying;
    if (this.isVarying) void this.ask();
    else this.stop();
  }

  /** The reader has gone to another moment. */
  leave() {
    fill(get("best-moves"));
    fill(get("outcomes"));
    if (this.isVarying) void this.ask();
  }

  /** Show the position without choices. */
  stop() {
    this.prompt.clear();
    fill(get("outcomes"));
    this.page.onScene(null);
  }

  /** Ask what can be done here. */
  async ask() {
    const place = this.page.place();
    try {
      const choices = await request(`/api/replays/${place.replay}/choices?node=${place.node}`);
      if (this.page.place().node === place.node && this.isVarying) this.#show(choices, { text: "" });
    } catch (error) {
      this.page.fail(error);
    }
  }

  /**
   * @param {any} choices
   * @param {WantedMove} wanted the move that is not complete
   */
  #show(choices, wanted) {
    this.seat = choices.seat;
    this.chosen = choices.chosen;
    const words = get("varying-words");
    fill(get("outcomes"));
    if (choices.outcomes.length > 0) {
      this.prompt.clear();
      words.textContent = "Chance decides. Choose what it brings:";
      this.#showOutcomes(choices.outcomes, wanted);
      return;
    }
    if (choices.seat < 0) {
      this.prompt.clear();
      words.textContent = "The game is over here.";
      return;
    }
    words.textContent = `${this.page.nameOf(choices.seat)} chooses. Click on the board, or write the move.`;
    if (choices.scene) {
      this.page.onScene(choices.scene);
      this.prompt.ask(choices.scene.choices ?? {}, this.chosen);
    }
  }

  /**
   * @param {{text: string, words: string}[]} outcomes
   * @param {WantedMove} wanted
   */
  #showOutcomes(outcomes, wanted) {
    const known = wanted.outcomes ?? [];
    const host = get("outcomes");
    fill(
      host,
      known.length > 0 ? create("p", { class: "quiet" }, `So far: ${known.length} decided`) : null,
      create(
        "div",
        { class: "answers", role: "group", "aria-label": "What chance brings" },
        create("button", { type: "button", class: "primary", onclick: () => void this.#play({ ...wanted, draw: true }) }, "Draw at random"),
        ...outcomes.map((each) =>
          create(
            "button",
            { type: "button", "data-outcome": each.text, onclick: () => void this.#play({ ...wanted, outcomes: [...known, each.text] }) },
            each.words,
          ),
        ),
        create("button", { type: "button", class: "plain", onclick: () => void this.ask() }, "Back"),
      ),
    );
    const first = host.querySelector("button");
    if (first instanceof HTMLElement) first.focus();
    announce("Chance decides. Choose what it brings.");
  }

  /** @param {WantedMove} wanted */
  async #play(wanted) {
    if (this.isAsking) return;
    this.isAsking = true;
    try {
      await this.page.ensureOwn();
      const { replay, node } = this.page.place();
      const seat = this.seat >= 0 ? this.seat : null;
      const played = await request(`/api/replays/${replay}/play`, { method: "POST", body: { node, seat, ...wanted } });
      field("move-text").value = "";
      if (played.choices) this.#show(played.choices, wanted);
      else this.page.onPlayed(played.nodes);
    } catch (error) {
      this.prompt.release();
      this.page.fail(error);
    } finally {
      this.isAsking = false;
    }
  }

  /** @param {import("./choices.js").SceneMove} move */
  #textsOf(move) {
    return move.steps.map((each) => this.prompt.filter.steps[each]?.text ?? "");
  }

  // The bot's best moves

  async showBest() {
    const button = /** @type {HTMLButtonElement} */ (get("best"));
    const place = this.page.place();
    button.disabled = true;
    button.textContent = "Thinking …";
    try {
      const body = { node: place.node, seconds: 1 };
      const found = await request(`/api/replays/${place.replay}/analyse`, { method: "POST", body });
      if (this.page.place().node === place.node) this.#showMoves(found);
    } catch (error) {
      if (!(error instanceof RequestFailed)) throw error;
      fill(get("best-moves"), create("p", { class: "quiet" }, error.message));
    } finally {
      button.disabled = false;
      button.textContent = "Best moves here";
    }
  }

  /** @param {any} found */
  #showMoves(found) {
    if (found.seat < 0) {
      fill(get("best-moves"), create("p", { class: "quiet" }, "Nobody chooses here."));
      return;
    }
    fill(
      get("best-moves"),
      create("p", { class: "quiet" }, `For ${this.page.nameOf(found.seat)}, after ${found.iterations.toLocaleString()} trials:`),
      create("ol", { class: "best" }, ...found.moves.map((/** @type {any} */ each) => create("li", {}, this.#moveButton(each, found.seat)))),
    );
  }

  /**
   * @param {any} move
   * @param {number} seat
   */
  #moveButton(move, seat) {
    const share = create("meter", { min: 0, max: 1, value: move.share, "aria-label": `${Math.round(move.share * 100)} % of the trials` });
    const payoff = `${move.payoff > 0 ? "+" : ""}${move.payoff.toFixed(2)}`;
    return create(
      "button",
      {
        type: "button",
        title: "Play it as a variation",
        onclick: () => {
          this.seat = seat;
          void this.#play(move.choices.length > 0 ? { choices: move.choices } : { text: move.text });
        },
      },
      create("span", { class: "grow" }, create("strong", {}, move.notation || move.text), move.words ? create("span", { class: "words" }, move.words.replace(/^player \d /, "")) : null),
      move.is_pick ? create("span", { class: "pick" }, "bot’s choice") : null,
      share,
      create("span", { class: "payoff", title: "What the player may expect" }, move.is_proven ? `${payoff} sure` : payoff),
    );
  }
}

/** @param {string} id */
function field(id) {
  return /** @type {HTMLInputElement} */ (get(id));
}
