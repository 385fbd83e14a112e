// @ts-check
/**
 * The socket of a table: it opens streams, answers for lost connections, and never loses a message.
 *
 * Every message has an id and is sent again until the server answers it, also after a reconnection. Events are
 * numbered; after a gap or a long silence the stream is opened again from the last event that arrived.
 * docs/server.md describes the protocol.
 * @module
 */

/**
 * @typedef {object} StreamEvent
 * @property {number | null} seat
 * @property {number} number
 * @property {string} [epoch]
 * @property {any} [scene]
 * @property {any} [changes]
 * @property {any} [question]
 * @property {{kept: number, entries: any[]}} [log]
 * @property {number[]} [waiting]
 * @property {any} [undo]
 * @property {any[]} [chat]
 * @property {any} [table]
 */

/** @typedef {{type: "ack" | "refusal" | "answer" | "pong", id: string | null, [name: string]: any}} Answer */

const RESEND_MILLISECONDS = 2500;
const LOST_MILLISECONDS = 10_000;
const PING_MILLISECONDS = 20_000;
const RETRY_MILLISECONDS = [300, 1000, 2000, 4000, 8000];

export class Connection {
  /**
   * @param {string} table
   * @param {object} listeners
   * @param {(welcome: any) => void} listeners.onWelcome
   * @param {(event: StreamEvent) => void} listeners.onEvent
   * @param {(isConnected: boolean) => void} listeners.onState
   */
  constructor(table, listeners) {
    this.table = table;
    this.listeners = listeners;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.session = crypto.randomUUID().slice(0, 13);
    this.counter = 0;
    this.failures = 0;
    this.isClosed = false;
    /** @type {Map<number | null, {epoch: string, number: number}>} The last event of each stream. */
    this.streams = new Map();
    /** @type {Map<string, {message: any, sent: number, done: (answer: Answer) => void}>} */
    this.pending = new Map();
    this.heard = Date.now();
    this.timer = setInterval(() => this.#check(), 1000);
    this.#connect();
  }

  /**
   * Follow a seat, or the stream of spectators.
   * @param {number | null} seat
   */
  open(seat) {
    if (!this.streams.has(seat)) this.streams.set(seat, { epoch: "", number: 0 });
    this.#openStream(seat);
  }

  /**
   * Send a message until it is answered.
   * @param {Record<string, unknown>} message
   * @returns {Promise<Answer>}
   */
  send(message) {
    const id = `${this.session}-${++this.counter}`;
    return new Promise((done) => {
      const whole = { ...message, id };
      this.pending.set(id, { message: whole, sent: Date.now(), done });
      this.#write(whole);
    });
  }

  close() {
    this.isClosed = true;
    clearInterval(this.timer);
    this.socket?.close();
  }

  #connect() {
    const address = new URL(`/api/tables/${encodeURIComponent(this.table)}/socket`, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.addEventListener("message", (event) => {
      if (socket === this.socket) this.#receive(JSON.parse(event.data));
    });
    socket.addEventListener("close", () => {
      if (socket === this.socket) this.#onClose();
    });
  }

  #onClose() {
    this.socket = null;
    if (this.isClosed) return;
    this.listeners.onState(false);
    const wait = RETRY_MILLISECONDS[Math.min(this.failures, RETRY_MILLISECONDS.length - 1)] ?? 8000;
    this.failures += 1;
    setTimeout(() => {
      if (!this.isClosed && this.socket === null) this.#connect();
    }, wait * (0.75 + Math.random() / 2));
  }

  /** @param {any} message */
  #receive(message) {
    this.heard = Date.now();
    switch (message.type) {
      case "welcome":
        this.failures = 0;
        this.listeners.onState(true);
        this.listeners.onWelcome(message);
        for (const seat of this.streams.keys()) this.#openStream(seat);
        for (const { message: waiting } of this.pending.values()) this.#write(waiting);
        break;
      case "event":
        this.#receiveEvent(message);
        break;
      default: {
        const waiting = this.pending.get(message.id);
        if (waiting) {
          this.pending.delete(message.id);
          waiting.done(message);
        }
      }
    }
  }

  /** @param {StreamEvent} event */
  #receiveEvent(event) {
    const stream = this.streams.get(event.seat);
    if (!stream) return;
    if (event.epoch !== undefined) {
      this.streams.set(event.seat, { epoch: event.epoch, number: event.number });
    } else if (event.number === stream.number + 1) {
      stream.number = event.number;
    } else {
      if (event.number > stream.number) this.#openStream(event.seat); // events are missing
      return;
    }
    this.listeners.onEvent(event);
  }

  /** @param {number | null} seat */
  #openStream(seat) {
    const stream = this.streams.get(seat);
    for (const [id, { message }] of this.pending) {
      if (message.type === "open" && message.seat === seat) this.pending.delete(id);
    }
    void this.send({ type: "open", seat, epoch: stream?.epoch ?? "", after: stream?.number ?? 0 });
  }

  /** @param {any} message */
  #write(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** Send again what was not answered; a server that is silent for long is taken for lost. */
  #check() {
    const now = Date.now();
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    let isLost = false;
    for (const waiting of this.pending.values()) {
      if (now - waiting.sent > LOST_MILLISECONDS && now - this.heard > LOST_MILLISECONDS) isLost = true;
      else if (now - waiting.sent > RESEND_MILLISECONDS) {
        waiting.sent = now;
        this.#write(waiting.message);
      }
    }
    if (isLost) {
      this.socket.close();
      this.#onClose();
    } else if (now - this.heard > PING_MILLISECONDS && this.pending.size === 0) {
      void this.send({ type: "ping" });
    }
  }
}
