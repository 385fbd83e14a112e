// @ts-check
/**
 * The page of a table: the live board, the prompt, the players, the log and the chat.
 *
 * The address has the table in its fragment: `#id=…`, and `key=…` in the link of an invited seat.
 * @module
 */

import { RequestFailed, request } from "./api.js";
import { Connection } from "./connection.js";
import { announce, create, fill, get } from "./dom.js";
import { Prompt } from "./prompt.js";
import { SceneView } from "./scene_view.js";

/**
 * @typedef {import("./choices.js").SceneChoices} SceneChoices
 * @typedef {import("./choices.js").SceneMove} SceneMove
 */

const MARKS = ["●", "▲", "■", "◆", "★", "⬟"];

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
    /** @type {any} */
    this.question = null;
    /** @type {SceneChoices} */
    this.choices = {};
    /** @type {number[]} */
    this.waiting = [];
    /** @type {any[]} */
    this.log = [];
    /** @type {any} */
    this.undo = null;
    this.isAskingWhy = false;
    /** @type {Connection | null} */
    this.connection = null;
    this.prompt = new Prompt(
      get("answers"),
      (move, isComplete) => void this.#play(move, isComplete),
      () => this.#showTargets(),
    );
    this.view = new SceneView(
      get("board"),
      get("boxes"),
      (item) => this.#pickItem(item),
      (item) => this.#askAbout(item),
    );
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

  /** @type {Map<number | null, any>} The last state of each stream, for several people at one screen. */
  #streams = new Map();

  /** @param {import("./connection.js").StreamEvent} event */
  #receive(event) {
    const before = this.#streams.get(event.seat) ?? { log: [], chat: [] };
    const stream = event.epoch === undefined ? before : { log: [], chat: [], question: null, undo: null, waiting: [] };
    if (event.scene !== undefined) stream.scene = event.scene;
    if (event.changes !== undefined && stream.scene) stream.scene = applyToScene(stream.scene, event.changes);
    if (event.question !== undefined) stream.question = event.question;
    if (event.log !== undefined) stream.log = [...stream.log.slice(0, event.log.kept), ...event.log.entries];
    if (event.waiting !== undefined) stream.waiting = event.waiting;
    if (event.undo !== undefined) stream.undo = event.undo;
    if (event.chat !== undefined) stream.chat = [...stream.chat, ...event.chat];
    this.#streams.set(event.seat, stream);
    if (event.table !== undefined) this.#setTable(event.table, this.seats);
    const next = this.#seatToShow();
    if (next !== this.seat) {
      this.seat = next;
      this.#showStream(true, null);
    } else if (event.seat === this.seat) {
      this.#showStream(event.scene !== undefined, event.changes ?? null);
    }
    if (event.log !== undefined && event.seat === this.seat && event.epoch === undefined) {
      announce(event.log.entries.map((entry) => this.#describeEntry(entry)).join(". "));
    }
  }

  /** With several people at one screen, the board turns to the one who is asked. */
  #seatToShow() {
    if (this.seats.length < 2) return this.seat;
    const isAsked = (/** @type {number | null} */ seat) => Boolean(this.#streams.get(seat)?.question);
    if (isAsked(this.seat)) return this.seat;
    return this.seats.find(isAsked) ?? this.seat;
  }

  /**
   * @param {boolean} isWhole whether the scene is new
   * @param {any} changes
   */
  #showStream(isWhole, changes) {
    const stream = this.#streams.get(this.seat);
    if (!stream) return;
    if (isWhole && stream.scene) this.view.show(stream.scene);
    else if (changes) this.view.apply(changes);
    this.question = stream.question;
    this.waiting = stream.waiting ?? [];
    this.undo = stream.undo;
    this.log = stream.log;
    get("refusal").textContent = "";
    if (this.question) this.prompt.ask(stream.scene?.choices ?? {});
    else this.prompt.clear();
    this.#showStatus();
    this.#showLog();
    this.#showChat(stream.chat);
    this.#showActions();
  }

  // What the player does

  /** @param {string} item */
  #pickItem(item) {
    if (this.isAskingWhy) this.#askAbout(item);
    else this.prompt.pickItem(item);
  }

  /**
   * @param {SceneMove} move
   * @param {boolean} isComplete
   */
  async #play(move, isComplete) {
    const question = this.question?.id;
    const answer = await this.connection?.send(
      isComplete
        ? { type: "play", seat: this.seat, question, text: move.text }
        : { type: "choose", seat: this.seat, question, choices: textsOf(this.prompt.filter, move) },
    );
    if (answer?.type === "refusal") this.#refuse(answer);
  }

  /** @param {any} refusal */
  #refuse(refusal) {
    const text = refusal.code === "late" ? "The game has gone on; look again." : refusal.message;
    get("refusal").textContent = text;
    this.prompt.release();
  }

  /**
   * Explain why a place cannot be chosen.
   * @param {string} item
   */
  #askAbout(item) {
    const name = this.view.titleOf(item);
    if (!this.isAskingWhy || this.seat === null || !name) return;
    void this.#why(name);
  }

  /** @param {string} text */
  async #why(text) {
    const answer = await this.connection?.send({ type: "why", seat: this.seat, text });
    if (!answer) return;
    get("refusal").textContent = answer["message"] || "This is possible.";
  }

  #listen() {
    get("move-form").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#playText();
    });
    get("undo").addEventListener("click", () => void this.#undo());
    get("why").addEventListener("click", () => {
      this.isAskingWhy = !this.isAskingWhy;
      get("why").setAttribute("aria-pressed", String(this.isAskingWhy));
      get("refusal").textContent = this.isAskingWhy ? "Click a place, or type a move and press “Play”." : "";
    });
    get("chat-form").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#chat();
    });
    document.addEventListener("keydown", (event) => {
      const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
      if (event.key === "Escape") {
        if (!this.prompt.back()) void this.#undoStep();
      } else if (!isTyping && !event.ctrlKey && !event.metaKey && !event.altKey && this.prompt.pressKey(event.key)) {
        event.preventDefault();
      }
    });
  }

  async #playText() {
    const field = /** @type {HTMLInputElement} */ (get("move-text"));
    const text = field.value.trim();
    if (!text || this.seat === null) return;
    if (this.isAskingWhy) {
      await this.#why(text);
      return;
    }
    const answer = await this.connection?.send({ type: "play", seat: this.seat, text });
    if (answer?.type === "refusal") this.#refuse(answer);
    else field.value = "";
  }

  async #undoStep() {
    if ((this.question?.chosen ?? []).length === 0) return;
    const answer = await this.connection?.send({ type: "undo", seat: this.seat, scope: "step" });
    if (answer?.type === "refusal") this.#refuse(answer);
  }

  async #undo() {
    const scope = (this.question?.chosen ?? []).length > 0 ? "step" : "turn";
    const answer = await this.connection?.send({ type: "undo", seat: this.seat, scope });
    if (answer?.type === "refusal") this.#refuse(answer);
  }

  /** @param {boolean} agrees */
  async #answerUndo(agrees) {
    const answer = await this.connection?.send({
      type: "answer_undo",
      seat: this.seat,
      request: this.undo?.id,
      agrees,
    });
    if (answer?.type === "refusal") this.#refuse(answer);
  }

  async #chat() {
    const field = /** @type {HTMLInputElement} */ (get("chat-text"));
    const text = field.value.trim();
    if (!text) return;
    const answer = await this.connection?.send({ type: "chat", seat: this.seat, text });
    if (answer?.type === "refusal") this.#refuse(answer);
    else field.value = "";
  }

  // What the player sees

  #showTargets() {
    if (this.view) this.view.setTargets(this.prompt.targets, this.prompt.selected);
  }

  /** @param {string} text */
  #say(text) {
    get("status").textContent = text;
  }

  /** @param {number} seat */
  #nameOf(seat) {
    if (seat < 0) return "Chance";
    const found = this.table?.seats?.[seat];
    const name = found?.name || (found?.kind === "bot" ? `Bot (${found.bot})` : `Player ${seat + 1}`);
    return this.seats.length === 1 && seat === this.seats[0] ? "You" : name;
  }

  #showStatus() {
    const panel = get("prompt");
    const isMine = Boolean(this.question?.is_asked);
    panel.classList.toggle("mine", isMine);
    let text = "";
    if (this.table?.stage === "over") text = `The game is over: ${this.#describeResult()}`;
    else if (this.table?.stage === "stopped") text = `The game cannot go on. ${this.table.problem}`;
    else if (this.table?.stage === "waiting") text = "Waiting for players";
    else if (isMine) {
      text = this.seats.length > 1 ? `${this.#nameOf(/** @type {number} */ (this.seat))}: your turn` : "Your turn";
    } else if (this.waiting.length > 0) {
      text = `Waiting for ${this.waiting.map((seat) => this.#nameOf(seat)).join(", ")}`;
    }
    if (get("status").textContent !== text) this.#say(text);
    document.title = `${isMine ? "● " : ""}${this.table?.game_title ?? "Table"} – Ludograph`;
    for (const row of get("people").children) {
      row.classList.toggle("asked", this.waiting.includes(Number(row.getAttribute("data-seat"))));
    }
  }

  #describeResult() {
    const result = String(this.table?.result ?? "");
    const win = /^win ([\d, ]+)$/.exec(result);
    if (!win?.[1]) return result || "no result";
    const winners = win[1].split(/[ ,]+/).map((each) => this.#nameOf(Number(each)));
    return winners.length === 1 && winners[0] === "You" ? "you win!" : `${winners.join(", ")} won`;
  }

  /** @param {any} entry */
  #describeEntry(entry) {
    if (entry.kind === "undo") return `${this.#nameOf(entry.seat)} took moves back`;
    return `${this.#nameOf(entry.seat)}: ${entry.text}`;
  }

  #showLog() {
    const rows = this.log.map((entry) => {
      const mark = entry.seat < 0 ? "⚄" : (MARKS[entry.seat] ?? String(entry.seat));
      const text = entry.kind === "undo" ? "takes moves back" : entry.text;
      return create(
        "li",
        {},
        create("span", { class: "who", title: this.#nameOf(entry.seat) }, mark),
        " ",
        create("span", {}, text),
      );
    });
    const list = get("log");
    fill(list, ...rows);
    list.scrollTop = list.scrollHeight;
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
    const canUndo = this.seat !== null && this.table?.stage === "playing" && this.log.some((each) => each.seat === this.seat);
    const button = get("undo");
    button.hidden = !canUndo;
    button.textContent = (this.question?.chosen ?? []).length > 0 ? "Undo step" : "Undo my turn";
    get("why").hidden = this.seat === null;
    get("move-form").hidden = this.seat === null;
    const request = this.undo;
    const asks = request && request.waits_for?.includes(this.seat);
    fill(
      get("more"),
      request
        ? create(
            "div",
            { role: "alert" },
            create("p", {}, `${this.#nameOf(request.seat)} asks to take moves back.`),
            asks
              ? create(
                  "div",
                  { class: "row" },
                  create("button", { type: "button", class: "primary", onclick: () => void this.#answerUndo(true) }, "Agree"),
                  create("button", { type: "button", onclick: () => void this.#answerUndo(false) }, "Refuse"),
                )
              : create("p", { class: "quiet" }, "Waiting for the others."),
          )
        : null,
      this.table?.stage === "over" ? create("a", { class: "button", href: `/replay.html#table=${this.id}` }, "Replay") : null,
      create("a", { class: "button", href: "/" }, "All games"),
    );
  }

  /**
   * @param {any} table
   * @param {number[]} seats
   * @param {any[]} [links]
   */
  #setTable(table, seats, links = []) {
    this.table = table;
    this.seats = seats;
    if (links.length > 0) this.links = links;
    fill(
      get("people"),
      ...table.seats.map((/** @type {any} */ seat) =>
        create(
          "li",
          { "data-seat": seat.seat },
          create("span", { class: "who" }, MARKS[seat.seat] ?? String(seat.seat)),
          create("span", {}, this.#nameOf(seat.seat)),
          create("span", { class: "quiet" }, this.#describeSeat(seat)),
        ),
      ),
    );
    this.#showJoining();
    this.#showStatus();
  }

  /** @param {any} seat */
  #describeSeat(seat) {
    if (seat.kind === "open") return "free";
    if (seat.kind === "bot") return "bot";
    if (seat.is_taken_over) return "away, a bot plays";
    return seat.online ? "" : "offline";
  }

  /** @type {any[]} the links of invited seats */
  links = [];

  #showJoining() {
    const isWaiting = this.table?.stage === "waiting";
    const open = (this.table?.seats ?? []).filter((/** @type {any} */ seat) => seat.kind === "open");
    const invitations = this.links.filter((link) => open.some((/** @type {any} */ seat) => seat.seat === link.seat));
    get("join-panel").hidden = !isWaiting || (open.length === 0 && invitations.length === 0);
    if (get("join-panel").hidden) return;
    const invited = new Set(this.links.map((link) => link.seat));
    fill(
      get("join"),
      ...invitations.map((link) => this.#invitation(link)),
      ...open
        .filter((/** @type {any} */ seat) => !invited.has(seat.seat))
        .map((/** @type {any} */ seat) =>
          create(
            "button",
            { type: "button", onclick: () => void this.#join(seat.seat) },
            `Play as ${MARKS[seat.seat] ?? ""} player ${seat.seat + 1}`,
          ),
        ),
    );
  }

  /** @param {any} link */
  #invitation(link) {
    const address = new URL(link.path, location.href).href;
    const field = create("input", { readonly: true, value: address, "aria-label": `Link for player ${link.seat + 1}` });
    return create(
      "div",
      { class: "field" },
      create("span", {}, `Send this link to player ${link.seat + 1}:`),
      create(
        "div",
        { class: "row" },
        field,
        create(
          "button",
          {
            type: "button",
            onclick: async (/** @type {any} */ event) => {
              await navigator.clipboard.writeText(address);
              event.target.textContent = "Copied";
            },
          },
          "Copy",
        ),
      ),
    );
  }

  /** @param {number} seat */
  async #join(seat) {
    try {
      const own = await this.#takeSeat({ seat });
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

/**
 * The scene after changes, for streams that are not shown now.
 * @param {any} scene
 * @param {any} changes
 */
function applyToScene(scene, changes) {
  const items = new Map(scene.items.map((/** @type {any} */ item) => [item.id, item]));
  for (const id of changes.gone ?? []) items.delete(id);
  for (const item of changes.items ?? []) items.set(item.id, item);
  for (const [id, x, y] of changes.moved ?? []) {
    const item = items.get(id);
    if (item) items.set(id, { ...item, x, y });
  }
  let order = [...items.keys()];
  if (changes.order) order = changes.order;
  else if (changes.inserted?.length) {
    const added = new Set(changes.inserted.map((/** @type {string[]} */ each) => each[0]));
    order = order.filter((id) => !added.has(id));
    for (const [id, above] of changes.inserted) {
      order.splice(above ? order.indexOf(above) : order.length, 0, id);
    }
  }
  return {
    ...scene,
    drawings: { ...scene.drawings, ...changes.drawings },
    static: changes.static ?? scene.static,
    items: order.map((id) => items.get(id)).filter(Boolean),
    effects: changes.effects ?? scene.effects,
    width: changes.size?.[0] ?? scene.width,
    height: changes.size?.[1] ?? scene.height,
    description: changes.description ?? scene.description,
    choices: changes.choices ?? scene.choices,
  };
}

/**
 * The texts of the answers of a move.
 * @param {import("./choices.js").ChoiceFilter} filter
 * @param {SceneMove} move
 */
function textsOf(filter, move) {
  return move.steps.map((each) => filter.steps[each]?.text ?? "");
}

void new TablePage().start();
