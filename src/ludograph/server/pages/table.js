// @ts-check
/**
 * The page of a table: the live board, the prompt, the players, the log and the chat.
 *
 * The address has the table in its fragment: `#id=…`, and `key=…` in the link of an invited seat.
 * @module
 */

import { RequestFailed, request } from "./api.js";
import { readableName } from "./choices.js";
import { Connection } from "./connection.js";
import { announce, create, fill, get } from "./dom.js";
import { FormsPanel } from "./forms.js";
import { LogView, markOf } from "./log_view.js";
import { MomentView } from "./moment_view.js";
import { PeopleView, copyButton } from "./people_view.js";
import { Prompt } from "./prompt.js";
import { SceneView } from "./scene_view.js";
import { afterEvent, emptyStream, shortText } from "./stream_state.js";

/**
 * @typedef {import("./choices.js").SceneMove} SceneMove
 * @typedef {import("./stream_state.js").StreamState} StreamState
 */

/** How long a player can see the only choice before it is taken. */
const SOLE_MILLISECONDS = 700;
const FORMS_MILLISECONDS = 40;
/** Where the board and the side are beside each other, as in the style sheet. */
const WIDE = "(min-width: 56.01rem)";
/** Actions of the rules that refuse an offer, by the usual names. */
const REFUSALS = new Set(["refuse", "decline", "reject"]);

class TablePage {
  constructor() {
    const fragment = new URLSearchParams(location.hash.slice(1));
    this.id = fragment.get("id") ?? "";
    this.key = fragment.get("key") ?? "";
    /** @type {any} */
    this.table = null;
    /** @type {number[]} the seats of this session */
    this.seats = [];
    /** @type {number | null} the seat that is shown; null: as a spectator */
    this.seat = null;
    /** @type {Map<number | null, StreamState>} what each stream knows */
    this.streams = new Map();
    /** @type {StreamState} what is shown */
    this.stream = emptyStream();
    /** Whether several people at this screen have secrets from each other. */
    this.hasSecretsHere = false;
    this.isAskingWhy = false;
    /** Whether the game has no moves outside of its lists, so that nobody needs to ask for them. */
    this.hasNoForms = false;
    /** @type {any[]} */
    this.forms = [];
    this.formsAsked = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.formsTimer = undefined;
    /** @type {Map<number, number>} For each seat that refuses all offers of a turn: whose turn it is. */
    this.refusedTurns = new Map();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.soleTimer = undefined;
    /** @type {Connection | null} */
    this.connection = null;
    const nameOf = (/** @type {number} */ seat) => this.#nameOf(seat);
    this.prompt = new Prompt(get("answers"), {
      onMove: (move, isComplete) => void this.#play(move, isComplete),
      onChange: () => this.#showTargets(),
      onBeside: (item, answers) => this.#showBeside(item, answers),
      onBack: () => void this.#undo("step"),
    });
    this.view = new SceneView(
      get("board"),
      get("boxes"),
      (item) => this.#pickItem(item),
      (item) => void this.#askAbout(item),
    );
    this.view.isOwnName = (id) => id === `name.player${this.seat}`;
    this.people = new PeopleView(nameOf, (seat, name) => void this.#join(seat, name));
    this.logView = new LogView(get("log"), nameOf, (count) => void this.moment.show(count));
    this.formsPanel = new FormsPanel(get("trade"), get("forms"), (text) => void this.#playText(text), nameOf);
    this.moment = new MomentView(get("moment"), {
      log: () => this.stream.log,
      ask: (kept) => this.#send({ type: "look", seat: this.seat, kept }),
      onScene: (scene) => this.view.show(scene),
      onChange: (count) => {
        this.logView.setCurrent(count);
        get("beside").classList.toggle("away", count !== null);
        if (count === null && this.stream.scene) this.view.show(this.stream.scene);
        this.#showTargets();
      },
      onUndo: (kept) => void this.#undo("to", kept),
      canUndo: () => this.#isPlaying && this.#ownMoves().length > 0,
    });
    this.#listen();
  }

  async start() {
    if (!this.id) {
      this.#say("This address names no table. Go to the games and open one.");
      return;
    }
    try {
      let own = await request(`/api/tables/${encodeURIComponent(this.id)}`);
      if (this.key && own.seats.length === 0) own = await this.#takeSeat({ key: this.key });
      this.#setTable(own.table, own.seats, own.links);
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.connection = new Connection(this.id, {
      onWelcome: (welcome) => {
        this.#setTable(welcome.table, welcome.seats);
        this.#follow();
      },
      onEvent: (event) => this.#receive(event),
      onState: (isConnected) => {
        get("connection").hidden = isConnected;
      },
    });
  }

  /** Open the streams of all own seats, or that of spectators, and show the one that is asked. */
  #follow() {
    const wanted = this.seats.length > 0 ? this.seats : [null];
    if (this.seat === null || !this.seats.includes(this.seat)) this.seat = wanted[0] ?? null;
    for (const seat of wanted) {
      if (!this.connection?.streams.has(seat)) this.connection?.open(seat);
    }
  }

  // Events

  /** @param {import("./connection.js").StreamEvent} event */
  #receive(event) {
    const stream = afterEvent(this.streams.get(event.seat) ?? emptyStream(), event);
    this.streams.set(event.seat, stream);
    if (event.table !== undefined) this.#setTable(event.table, this.seats);
    this.#noteSecrets();
    const next = this.#seatToShow();
    if (next !== this.seat) {
      if (this.hasSecretsHere) this.#cover(next);
      this.#showSeat(next);
    } else if (event.seat === this.seat) {
      this.#showStream(event.scene !== undefined, event.changes ?? null);
    } else {
      this.#showSeatsHere();
    }
    if (event.log !== undefined && event.seat === this.seat && event.epoch === undefined) {
      announce(event.log.entries.map((entry) => this.#describeEntry(entry)).join(". "));
    }
  }

  /** With several people at one screen, the board turns to one who is asked. */
  #seatToShow() {
    if (this.seats.length < 2) return this.seat;
    const isAsked = (/** @type {number | null} */ seat) => Boolean(this.streams.get(seat)?.question?.is_asked);
    if (isAsked(this.seat)) return this.seat;
    return this.seats.find(isAsked) ?? this.seat;
  }

  /** Note whether the people at this screen see different things. */
  #noteSecrets() {
    if (this.hasSecretsHere || this.seats.length < 2) return;
    const streams = this.seats.map((seat) => this.streams.get(seat));
    // Only streams that have come equally far can be compared; before the game they show nothing.
    if (streams.some((each) => !each?.scene)) return;
    if (new Set(streams.map((each) => each?.log.length)).size > 1) return;
    const shown = streams.map((each) =>
      (each?.scene?.items ?? []).map((/** @type {any} */ item) => `${item.id} ${item.drawing}`).join(),
    );
    this.hasSecretsHere = new Set(shown).size > 1;
  }

  /**
   * Hide everything until the next player at this screen wants to look.
   * @param {number | null} seat
   */
  #cover(seat) {
    const isAsked = this.streams.get(seat)?.question?.is_asked;
    get("cover-title").textContent = `${this.#nameOf(seat ?? 0)}${isAsked ? ", it is your turn" : ""}`;
    get("cover").hidden = false;
    document.querySelector("main")?.classList.add("covered");
    get("uncover").focus();
  }

  #uncover() {
    get("cover").hidden = true;
    document.querySelector("main")?.classList.remove("covered");
    get("prompt").focus();
  }

  /** @param {number | null} seat */
  #showSeat(seat) {
    this.seat = seat;
    this.forms = [];
    this.moment.hide();
    this.#showStream(true, null);
  }

  /**
   * @param {boolean} isWhole whether the scene is new
   * @param {any} changes
   */
  #showStream(isWhole, changes) {
    const stream = this.streams.get(this.seat);
    if (!stream) return;
    const isSame = stream.question?.id === this.stream.question?.id && this.stream.question !== null;
    this.stream = stream;
    if (!this.moment.isShown) {
      if (isWhole && stream.scene) this.view.show(stream.scene);
      else if (changes) this.view.apply(changes);
    }
    if (!isSame) get("refusal").textContent = "";
    if (!stream.question) this.prompt.clear();
    else if (!isSame || isWhole || changes?.choices) this.prompt.ask(stream.scene?.choices ?? {}, stream.question.chosen);
    this.#showStatus();
    this.logView.show(stream.log);
    this.#showChat(stream.chat);
    this.#showActions();
    this.#showSeatsHere();
    this.#takeSole();
    // Events may come in quick succession; the forms are asked for after the last one.
    clearTimeout(this.formsTimer);
    this.formsTimer = setTimeout(() => void this.#askForms(), FORMS_MILLISECONDS);
  }

  /** Take the only choice of a player, unless the rules leave something to chance or hide something. */
  #takeSole() {
    clearTimeout(this.soleTimer);
    const question = this.stream.question;
    const isAfterUndo = this.stream.log.at(-1)?.kind === "undo";
    if (!question?.is_forced || isAfterUndo || !this.prompt.filter.isSole) return;
    const step = this.prompt.filter.steps[0];
    this.soleTimer = setTimeout(() => {
      if (this.stream.question?.id !== question.id || this.prompt.filter.picked.length > 0) return;
      announce(`Only one choice: ${step?.label || readableName(step?.text ?? "")}`);
      this.prompt.playSole();
    }, SOLE_MILLISECONDS);
  }

  // Moves that no list contains

  async #askForms() {
    if (this.hasNoForms || this.seat === null || !this.#isPlaying) {
      if (!this.#isPlaying || this.seat === null) this.formsPanel.show([], []);
      return;
    }
    const asked = ++this.formsAsked;
    const seat = this.seat;
    const answer = await this.#send({ type: "forms", seat });
    if (answer?.type !== "forms" || asked !== this.formsAsked || seat !== this.seat) return;
    this.forms = answer["forms"];
    this.hasNoForms = this.forms.length === 0 && (this.stream.question?.chosen ?? []).length === 0;
    this.formsPanel.show(this.forms, this.#answersToOffer());
    this.#showRefusals(seat, answer["turn"] ?? null);
  }

  /** The players who answer one's own offer, as chips. */
  #answersToOffer() {
    const own = this.forms.find((form) => (form.fields ?? []).some((/** @type {any} */ each) => each.names_players));
    const isOffered = own?.fields.some((/** @type {any} */ each) => (each.given ?? 0) > 0);
    if (!isOffered) return [];
    /** @type {Map<number, string>} */
    const answers = new Map();
    for (const entry of [...this.stream.log].reverse()) {
      if (entry.seat === this.seat) break;
      if (entry.seat >= 0 && !answers.has(entry.seat)) answers.set(entry.seat, readableName(entry.text));
    }
    return (this.table?.seats ?? [])
      .map((/** @type {any} */ each) => each.seat)
      .filter((/** @type {number} */ seat) => seat !== this.seat && (answers.has(seat) || this.stream.waiting.includes(seat)))
      .map((/** @type {number} */ seat) => ({
        seat,
        name: this.#nameOf(seat),
        mark: markOf(seat),
        words: this.stream.waiting.includes(seat) ? "…" : (answers.get(seat) ?? ""),
      }));
  }

  /** The number of the choice that refuses an offer; −1 if there is none. */
  #refusal() {
    return this.prompt.filter.steps.findIndex((step) => step.kind === "action" && REFUSALS.has(step.name));
  }

  /**
   * While an offer of somebody else is open: one button to refuse all of this turn. An offer belongs to the
   * turn of a player, whoever has answered it since.
   * @param {number} seat
   * @param {number | null} turn the seat whose turn it is
   */
  #showRefusals(seat, turn) {
    if (this.refusedTurns.get(seat) !== turn) this.refusedTurns.delete(seat);
    const refusal = this.#refusal();
    if (turn === null || turn === seat || refusal < 0 || !FormsPanel.answersOffer(this.forms)) return;
    if (this.refusedTurns.has(seat)) {
      this.prompt.pick(refusal);
      return;
    }
    const answers = get("answers").querySelector(".answers");
    if (answers?.querySelector("[data-refuse-all]")) return;
    answers?.append(
      create(
        "button",
        {
          type: "button",
          "data-refuse-all": true,
          onclick: () => {
            this.refusedTurns.set(seat, turn);
            this.prompt.pick(refusal);
          },
        },
        "Refuse all this turn",
      ),
    );
  }

  // What the player does

  /**
   * @param {Record<string, unknown>} message
   * @returns {Promise<any>}
   */
  async #send(message) {
    return this.connection?.send(message);
  }

  /** @param {string} item */
  #pickItem(item) {
    if (this.isAskingWhy) void this.#askAbout(item);
    else {
      get("refusal").textContent = "";
      this.prompt.pickItem(item);
    }
  }

  /**
   * @param {SceneMove} move
   * @param {boolean} isComplete
   */
  async #play(move, isComplete) {
    const question = this.stream.question?.id;
    const { steps } = this.prompt.filter;
    const answer = await this.#send(
      isComplete
        ? { type: "play", seat: this.seat, question, text: move.text }
        : { type: "choose", seat: this.seat, question, choices: move.steps.map((each) => steps[each]?.text ?? "") },
    );
    this.#noteAnswer(answer);
  }

  /**
   * Show a refusal; whether the server did what it was asked to.
   * @param {any} answer
   */
  #noteAnswer(answer) {
    if (answer?.type !== "refusal") return true;
    const text = answer.code === "late" ? "The game has gone on; look again." : answer.message;
    get("refusal").textContent = answer.explanation ? `${text}\n${answer.explanation}` : text;
    this.prompt.release();
    return false;
  }

  /**
   * Explain why something in the picture cannot be chosen.
   * @param {string} item
   */
  async #askAbout(item) {
    if (this.seat === null || !this.#isPlaying || this.moment.isShown) return;
    const name = this.view.titleOf(item);
    if (!this.stream.question) {
      get("refusal").textContent = "It is not your turn.";
      return;
    }
    const answer = await this.#send({ type: "why_item", seat: this.seat, item, begun: this.prompt.filter.begun });
    if (answer?.type !== "answer") return;
    const nothing = this.isAskingWhy && this.prompt.targets.has(item) ? "This is possible." : "Nothing can be done there now.";
    const reasons = answer["message"] || (name || this.isAskingWhy ? nothing : "");
    get("refusal").textContent = reasons && name ? `${name}\n${reasons}` : reasons;
  }

  /** @param {string} text */
  async #why(text) {
    const answer = await this.#send({ type: "why", seat: this.seat, text });
    if (!answer) return;
    const explanation = answer["explanation"] ? `\n${answer["explanation"]}` : "";
    get("refusal").textContent = answer["message"] ? answer["message"] + explanation : "This is possible.";
  }

  /** On wide screens the trays of a trade lie below the board, always in sight; on phones below the boxes. */
  #placeTrade() {
    const wide = matchMedia(WIDE);
    const place = () => {
      document.querySelector(`[data-trade="${wide.matches ? "wide" : "narrow"}"]`)?.appendChild(get("trade"));
    };
    wide.addEventListener("change", place);
    place();
  }

  #listen() {
    this.#placeTrade();
    get("move-form").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#playTyped();
    });
    get("uncover").addEventListener("click", () => this.#uncover());
    get("undo").addEventListener("click", () => void this.#undo(this.#hasDraft ? "step" : "turn"));
    get("why").addEventListener("click", () => this.#setAskingWhy(!this.isAskingWhy));
    get("chat-form").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#chat();
    });
    document.addEventListener("keydown", (event) => {
      const isTyping =
        event.target instanceof HTMLInputElement ||
        event.target instanceof HTMLTextAreaElement ||
        event.target instanceof HTMLSelectElement;
      if (!get("cover").hidden) return;
      if (event.key === "Escape") this.#goBack();
      else if (!isTyping && !event.ctrlKey && !event.metaKey && !event.altKey && this.prompt.pressKey(event.key)) {
        event.preventDefault();
      }
    });
  }

  /** Esc: leave the last thing that was begun. */
  #goBack() {
    if (this.moment.isShown) this.moment.hide();
    else if (this.isAskingWhy) this.#setAskingWhy(false);
    else if (!this.prompt.back() && this.#hasDraft) void this.#undo("step");
  }

  /** @param {boolean} isAsking */
  #setAskingWhy(isAsking) {
    this.isAskingWhy = isAsking;
    get("why").setAttribute("aria-pressed", String(isAsking));
    get("refusal").textContent = isAsking ? "Choose anything in the picture, or type a move and press “Play”." : "";
    this.#showTargets();
  }

  async #playTyped() {
    const field = /** @type {HTMLInputElement} */ (get("move-text"));
    const text = field.value.trim();
    if (!text || this.seat === null) return;
    if (this.isAskingWhy) await this.#why(text);
    else if (await this.#playText(text)) field.value = "";
  }

  /**
   * Play a move by its text; whether it was played.
   * @param {string} text
   */
  async #playText(text) {
    return this.#noteAnswer(await this.#send({ type: "play", seat: this.seat, text }));
  }

  /**
   * @param {"step" | "turn" | "to"} scope
   * @param {number} [kept]
   */
  async #undo(scope, kept = 0) {
    this.#noteAnswer(await this.#send({ type: "undo", seat: this.seat, scope, kept }));
  }

  /** @param {boolean} agrees */
  async #answerUndo(agrees) {
    const request = this.stream.undo?.id;
    this.#noteAnswer(await this.#send({ type: "answer_undo", seat: this.seat, request, agrees }));
  }

  async #chat() {
    const field = /** @type {HTMLInputElement} */ (get("chat-text"));
    const text = field.value.trim();
    if (text && this.#noteAnswer(await this.#send({ type: "chat", seat: this.seat, text }))) field.value = "";
  }

  // What the player sees

  get #isPlaying() {
    return this.table?.stage === "playing";
  }

  get #hasDraft() {
    return (this.stream.question?.chosen ?? []).length > 0;
  }

  #ownMoves() {
    return this.stream.log.filter((each) => each.kind === "move" && each.seat === this.seat);
  }

  #showTargets() {
    if (!this.view) return;
    if (this.moment?.isShown) this.view.setTargets([]);
    else if (this.isAskingWhy) this.view.setTargets(this.view.namedItems());
    else this.view.setTargets(this.prompt.targets, this.prompt.selected);
  }

  /**
   * Show answers beside an item of the board; where there is no room, they stay in the prompt.
   * @param {string} item
   * @param {HTMLElement | null} answers
   */
  #showBeside(item, answers) {
    const host = get("beside");
    const hadFocus = document.activeElement !== document.body;
    host.hidden = true;
    host.replaceChildren();
    if (answers === null) return;
    const place = this.view?.placeOf(item, get("board-section"));
    if (!place) {
      get("answers").append(answers);
      return;
    }
    host.append(answers);
    host.hidden = false;
    const width = get("board-section").clientWidth;
    host.style.left = `${Math.min(Math.max(place.x - host.offsetWidth / 2, 4), Math.max(width - host.offsetWidth - 4, 4))}px`;
    host.style.top = `${place.y}px`;
    const first = answers.querySelector("button");
    if (hadFocus && first) first.focus({ preventScroll: true });
  }

  /** @param {string} text */
  #say(text) {
    if (get("status").textContent !== text) get("status").textContent = text;
  }

  /** @param {number} seat */
  #nameOf(seat) {
    if (seat < 0) return "Chance";
    const seats = this.table?.seats ?? [];
    const found = seats[seat];
    const isNamed = found?.name && found.name !== "guest";
    const name = isNamed ? found.name : found?.kind === "bot" ? `Bot (${found.bot})` : `Player ${seat + 1}`;
    if (this.seats.length === 1 && seat === this.seats[0]) return "You";
    const isShared = seats.some(
      (/** @type {any} */ each) =>
        each.seat !== seat && each.kind === found?.kind && each.name === found?.name && each.bot === found?.bot,
    );
    return isShared && (isNamed || found?.kind === "bot") ? `${name} ${markOf(seat)}` : name;
  }

  #showStatus() {
    const isMine = Boolean(this.stream.question?.is_asked) && this.#isPlaying;
    get("prompt").classList.toggle("mine", isMine);
    const others = this.stream.waiting.filter((seat) => seat !== this.seat).map((seat) => this.#nameOf(seat));
    const name = this.seat === null ? "" : this.#nameOf(this.seat);
    let text = "";
    if (this.table?.stage === "over") text = `The game is over: ${this.#describeResult()}`;
    else if (this.table?.stage === "stopped") text = `The game cannot go on. ${this.table.problem}`;
    else if (this.table?.stage === "waiting") text = "Waiting for players";
    else if (isMine) {
      text = this.seats.length > 1 ? `${name}: your turn` : "Your turn";
      if (others.length > 0) text += `; also waiting for ${others.join(", ")}`;
    } else if (others.length > 0) text = `Waiting for ${others.join(", ")}`;
    this.#say(text);
    document.title = `${isMine ? "● " : ""}${this.table?.game_title ?? "Table"} – Ludograph`;
    if (this.table) this.people.show(this.table, this.#isPlaying ? this.stream.waiting : [], this.seats);
  }

  /** With several people at one screen: whose view is shown, and whom the game waits for. */
  #showSeatsHere() {
    const host = get("seats-here");
    host.hidden = this.seats.length < 2;
    if (host.hidden) return;
    fill(
      host,
      ...this.seats.map((seat) => {
        const isAsked = Boolean(this.streams.get(seat)?.question?.is_asked) && this.#isPlaying;
        return create(
          "button",
          { type: "button", class: "chip", "aria-pressed": String(seat === this.seat), onclick: () => this.#turnTo(seat) },
          this.#nameOf(seat),
          isAsked ? " – to move" : null,
        );
      }),
    );
  }

  /**
   * Turn the screen to another player, who may have secrets.
   * @param {number} seat
   */
  #turnTo(seat) {
    if (seat === this.seat) return;
    if (this.hasSecretsHere) this.#cover(seat);
    this.#showSeat(seat);
  }

  #describeResult() {
    const result = String(this.table?.result ?? "");
    const win = /^win ([\d, ]+)$/.exec(result);
    if (!win?.[1]) return result || "no result";
    const winners = win[1].split(/[ ,]+/).map((each) => this.#nameOf(Number(each)));
    return winners.length === 1 && winners[0] === "You" ? "you win!" : `${winners.join(", ")} won`;
  }

  /** @param {import("./stream_state.js").LogEntry} entry */
  #describeEntry(entry) {
    if (entry.kind === "undo") return `${this.#nameOf(entry.seat)} took moves back`;
    return `${this.#nameOf(entry.seat)}: ${shortText(entry)}`;
  }

  /** @param {any[]} lines */
  #showChat(lines) {
    fill(
      get("chat"),
      ...lines.map((line) => create("li", {}, create("strong", {}, `${line.name || "Spectator"}: `), line.text)),
    );
    get("chat-panel").hidden = this.table?.chat === false;
  }

  #showActions() {
    const button = get("undo");
    button.hidden = this.seat === null || !this.#isPlaying || (!this.#hasDraft && this.#ownMoves().length === 0);
    button.textContent = this.#hasDraft ? "Undo my step" : "Undo my turn";
    get("why").hidden = this.seat === null || !this.#isPlaying;
    get("move-form").hidden = this.seat === null || !this.#isPlaying;
    this.#showConsent();
    this.#showMore();
  }

  /** The request for an undo, with the answers of those who are asked. */
  #showConsent() {
    const request = this.stream.undo;
    const asks = request?.waits_for?.includes(this.seat);
    fill(
      get("consent"),
      request
        ? create(
            "div",
            { class: "consent", role: "alert" },
            create(
              "p",
              {},
              request.seat === this.seat
                ? `You ask to go back to move ${request.kept}. `
                : `${this.#nameOf(request.seat)} asks to go back to move ${request.kept}.`,
            ),
            asks
              ? create(
                  "div",
                  { class: "row" },
                  create("button", { type: "button", onclick: () => void this.moment.show(request.kept) }, "Show"),
                  create("button", { type: "button", class: "primary", onclick: () => void this.#answerUndo(true) }, "Agree"),
                  create("button", { type: "button", onclick: () => void this.#answerUndo(false) }, "Refuse"),
                )
              : create(
                  "p",
                  { class: "quiet" },
                  `Waiting for ${(request.waits_for ?? []).map((/** @type {number} */ seat) => this.#nameOf(seat)).join(", ")}.`,
                ),
          )
        : null,
    );
  }

  #showMore() {
    const canLeave = this.#isPlaying && this.seat !== null;
    fill(
      get("more"),
      this.table?.stage === "over" ? create("a", { class: "button", href: `/replay.html#table=${this.id}` }, "Replay") : null,
      create("a", { class: "button", href: "/" }, "All games"),
      this.table?.spectators
        ? copyButton(() => new URL(`/table.html#id=${this.id}`, location.href).href, "Copy the link for spectators")
        : null,
      canLeave ? create("button", { type: "button", class: "plain", onclick: () => this.#askToLeave() }, "Leave my seat") : null,
    );
  }

  /** Leaving needs a second click. */
  #askToLeave() {
    const leave = async () => {
      try {
        for (const seat of this.seats) {
          await request(`/api/tables/${encodeURIComponent(this.id)}/leave_seat`, { method: "POST", body: { seat } });
        }
        location.href = "/";
      } catch (error) {
        this.#fail(error);
      }
    };
    fill(
      get("more"),
      create("p", {}, "Leave the game? A bot may take over your seat."),
      create("button", { type: "button", class: "primary", onclick: () => void leave() }, "Leave"),
      create("button", { type: "button", onclick: () => this.#showMore() }, "Stay"),
    );
  }

  /**
   * @param {any} table
   * @param {number[]} seats
   * @param {any[]} [links]
   */
  #setTable(table, seats, links = []) {
    const hasBegun = this.table?.stage === "waiting" && table.stage === "playing";
    this.table = table;
    this.seats = seats;
    if (links.length > 0) this.people.links = links;
    get("table-title").textContent = table.game_title;
    this.#showStatus();
    this.#showActions();
    if (hasBegun) announce("The game begins.");
  }

  /**
   * @param {number} seat
   * @param {string} name
   */
  async #join(seat, name) {
    try {
      const own = await this.#takeSeat(name ? { seat, name } : { seat });
      this.#setTable(own.table, own.seats, own.links);
      this.#follow();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** @param {Record<string, unknown>} wanted */
  async #takeSeat(wanted) {
    return request(`/api/tables/${encodeURIComponent(this.id)}/take_seat`, {
      method: "POST",
      body: { ...wanted, entropy: newEntropy() },
    });
  }

  /** @param {unknown} error */
  #fail(error) {
    if (!(error instanceof RequestFailed)) throw error;
    this.#say(error.message);
  }
}

/** A contribution to the luck of the game, which the server cannot foresee. */
function newEntropy() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((each) => each.toString(16).padStart(2, "0")).join("");
}

// The link of another table in the same tab changes only the fragment.
addEventListener("hashchange", () => location.reload());
void new TablePage().start();
