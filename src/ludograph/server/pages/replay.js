// @ts-check
/**
 * The replay of a game: its moves with slider and keys, the chart, variations, notes, texts to save.
 *
 * The address has everything in its fragment: `#id=…` a replay, `at=…` a moment, `view=…` who looks;
 * `#table=…` the game of a table that is over.
 * @module
 */

import { RequestFailed, request } from "./api.js";
import { ChartView } from "./chart_view.js";
import { announce, create, fill, get } from "./dom.js";
import { Frames } from "./replay_frames.js";
import { MoveList } from "./replay_moves.js";
import { Opening, findingList } from "./replay_opening.js";
import { Saving, copyText } from "./replay_saving.js";
import { Study } from "./replay_study.js";
import { ReplayTree, moveSentence } from "./replay_tree.js";
import { changesBetween } from "./scene_changes.js";
import { SceneView } from "./scene_view.js";

const EVALUATION = "bot’s evaluation";
const POLL_MILLISECONDS = 700;
const ADDRESS_MILLISECONDS = 300;

class ReplayPage {
  constructor() {
    /** @type {any} */
    this.replay = null;
    this.tree = new ReplayTree([{ node: 0, parent: -1, seat: -1, text: "", words: "", notation: "", note: "", is_variation: false, numbers: [] }]);
    /** @type {number[]} the line that the slider follows */
    this.line = [0];
    this.index = 0;
    this.view = "";
    this.series = "";
    /** @type {Map<number, number[]>} what players may expect, by node */
    this.payoffs = new Map();
    /** @type {any} the scene that is shown */
    this.scene = null;
    /** @type {any} the scene of the present moment */
    this.momentScene = null;
    /** @type {string[]} */
    this.colours = [];
    this.isPlaying = false;
    /** @type {number | undefined} */
    this.timer = undefined;
    /** @type {number | undefined} */
    this.addressTimer = undefined;
    this.addressTime = -ADDRESS_MILLISECONDS;
    this.frames = new Frames("");
    this.opening = new Opening((replay) => void this.open(replay, 0, ""));
    this.moves = new MoveList(get("moves"), (node) => void this.goToNode(node));
    this.chart = new ChartView(get("chart"), get("legend"), (index) => void this.goTo(index));
    this.sceneView = new SceneView(get("board"), get("boxes"), (item) => this.study.prompt.pickItem(item));
    this.saving = new Saving(
      () => ({ replay: this.replay.id, node: this.node, end: this.line.at(-1) ?? 0, view: this.view }),
      (error) => this.fail(error),
    );
    /** @type {Study} */
    this.study = new Study({
      place: () => ({ replay: this.replay.id, node: this.node }),
      ensureOwn: () => this.#ensureOwn(),
      onPlayed: (nodes) => this.#addNodes(nodes),
      onScene: (scene) => this.#showScene(scene ?? this.momentScene),
      onTargets: (targets, selected) => this.sceneView.setTargets(targets, selected),
      nameOf: (seat) => this.nameOf(seat),
      fail: (error) => this.fail(error),
    });
    this.#listen();
  }

  get node() {
    return this.line[this.index] ?? 0;
  }

  async start() {
    const fragment = new URLSearchParams(location.hash.slice(1));
    const [id, table] = [fragment.get("id"), fragment.get("table")];
    try {
      if (id) {
        const replay = await request(`/api/replays/${encodeURIComponent(id)}`);
        await this.open(replay, Number(fragment.get("at") ?? 0), fragment.get("view") ?? "");
      } else if (table) {
        await this.opening.open({ table });
      } else {
        await this.opening.show();
      }
    } catch (error) {
      this.opening.fail(error);
      await this.opening.showOwn().catch(() => {}); // the message above says what is wrong
    }
  }

  /**
   * Show a replay.
   * @param {any} replay
   * @param {number} node
   * @param {string} view
   */
  async open(replay, node, view) {
    get("opening").hidden = true;
    get("viewer").hidden = false;
    this.replay = replay;
    this.frames = new Frames(replay.id);
    this.payoffs = new Map();
    this.scene = null;
    this.#setNodes(replay.nodes);
    fill(get("view"), ...replay.views.map((/** @type {any} */ each) => create("option", { value: each.name }, capital(each.title))));
    this.view = replay.views.some((/** @type {any} */ each) => each.name === view) ? view : replay.views[0].name;
    /** @type {HTMLSelectElement} */ (get("view")).value = this.view;
    get("view").hidden = replay.views.length < 2;
    this.saving.offer(replay.formats);
    this.series = replay.series[0] ?? EVALUATION;
    this.#showSeries();
    this.#showOwnership();
    fill(get("findings"), findingList(replay.findings));
    this.line = this.tree.lineThrough(node);
    this.index = -1;
    await this.goTo(Math.max(0, this.line.indexOf(node)));
  }

  /** @param {any[]} nodes */
  #setNodes(nodes) {
    this.tree = new ReplayTree(nodes);
    this.moves.show(this.tree, (seat) => this.nameOf(seat));
  }

  #showOwnership() {
    const { replay } = this;
    get("title").textContent = replay.title;
    document.title = `${replay.title} – Ludograph`;
    get("rename").hidden = !replay.is_own;
    get("copy-study").hidden = replay.is_own;
    get("ownership").textContent = replay.is_own
      ? "Whoever has the link can look at this study with its variations and notes. Only you can change it."
      : "This study belongs to somebody else. What you add goes into a copy of your own.";
  }

  /** @param {number} seat */
  nameOf(seat) {
    if (seat < 0) return "Chance";
    return this.replay?.names?.[seat] || `Player ${seat + 1}`;
  }

  // Moving through the game

  /** @param {number} index */
  async goTo(index) {
    const next = Math.min(Math.max(index, 0), this.line.length - 1);
    if (next === this.index) return;
    this.index = next;
    const node = this.node;
    this.#showPlace();
    try {
      const scene = await this.frames.scene(this.line, next, this.view);
      if (this.node !== node || !scene) return; // the reader has gone on
      this.momentScene = scene;
      this.#showScene(scene);
      this.study.leave();
    } catch (error) {
      this.fail(error);
    }
  }

  /** @param {number} node */
  async goToNode(node) {
    if (!this.line.includes(node)) this.line = this.tree.lineThrough(node);
    else if (this.tree.pathTo(node).some((each, place) => this.line[place] !== each)) this.line = this.tree.lineThrough(node);
    this.index = -1;
    await this.goTo(this.line.indexOf(node));
  }

  /** Show another variation in the place of the present move. @param {number} step */
  async goAside(step) {
    const siblings = this.tree.siblings(this.node);
    const next = siblings[siblings.indexOf(this.node) + step];
    if (next !== undefined) await this.goToNode(next);
  }

  #showPlace() {
    const node = this.tree.node(this.node);
    const sentence = moveSentence(node, (seat) => this.nameOf(seat));
    get("problem").textContent = "";
    get("caption").textContent = sentence;
    announce(sentence);
    const slider = /** @type {HTMLInputElement} */ (get("step"));
    slider.max = String(this.line.length - 1);
    slider.value = String(this.index);
    slider.setAttribute("aria-valuetext", `${this.index}: ${sentence}`);
    get("count").textContent = `${this.index} / ${this.line.length - 1}`;
    disable("to-start", this.index === 0);
    disable("back", this.index === 0);
    disable("forward", this.index === this.line.length - 1);
    disable("to-end", this.index === this.line.length - 1);
    this.moves.mark(this.node);
    this.#showChart();
    const note = /** @type {HTMLTextAreaElement} */ (get("note"));
    if (document.activeElement !== note || note.value === "") note.value = node.note;
    get("remove").hidden = !this.replay.is_own || !node.is_variation;
    get("done").textContent = "";
    this.saving.clear();
    if (this.isPlaying && this.index === this.line.length - 1) this.pause();
    this.#showAddress();
  }

  /** The address of the moment; not too often, because browsers limit that. */
  #showAddress() {
    const left = this.addressTime + ADDRESS_MILLISECONDS - performance.now();
    clearTimeout(this.addressTimer);
    if (left > 0) {
      this.addressTimer = setTimeout(() => this.#showAddress(), left);
      return;
    }
    this.addressTime = performance.now();
    history.replaceState(null, "", this.#fragment());
  }

  #fragment() {
    const usual = this.replay.views[0].name;
    const parts = new URLSearchParams({ id: this.replay.id, at: String(this.node), ...(this.view === usual ? {} : { view: this.view }) });
    return `#${parts}`;
  }

  /** @param {any} scene */
  #showScene(scene) {
    if (!scene) return;
    const changes = this.scene === null ? null : changesBetween(this.scene, scene);
    if (changes === null) this.sceneView.show(scene);
    else this.sceneView.apply(changes);
    if (!this.study.isVarying) this.sceneView.setTargets([]);
    this.scene = scene;
    if (String(this.colours) !== String(scene.player_colours)) {
      this.colours = scene.player_colours;
      this.chart.name = ""; // the chart is drawn again
      this.#showChart();
    }
  }

  play() {
    if (this.isPlaying) {
      this.pause();
      return;
    }
    if (this.index === this.line.length - 1) void this.goTo(0);
    this.isPlaying = true;
    this.#showPlaying();
    this.#tick();
  }

  #tick() {
    clearTimeout(this.timer);
    const speed = Number(/** @type {HTMLSelectElement} */ (get("speed")).value);
    this.timer = setTimeout(async () => {
      if (!this.isPlaying) return;
      await this.goTo(this.index + 1);
      if (this.isPlaying) this.#tick();
    }, speed);
  }

  pause() {
    this.isPlaying = false;
    clearTimeout(this.timer);
    this.#showPlaying();
  }

  #showPlaying() {
    const button = get("play");
    button.classList.toggle("playing", this.isPlaying);
    const words = this.isPlaying ? "Pause" : "Play";
    button.setAttribute("aria-label", words);
    button.setAttribute("title", `${words} (space)`);
  }

  // The chart

  #showSeries() {
    const names = [...this.replay.series, EVALUATION];
    fill(
      get("series"),
      ...names.map((name) =>
        create(
          "button",
          {
            type: "button",
            "aria-pressed": String(name === this.series),
            onclick: () => {
              this.series = name;
              this.#showSeries();
              this.#showChart();
              if (name === EVALUATION) void this.#evaluate();
            },
          },
          capital(name),
        ),
      ),
    );
    const isEvaluation = this.series === EVALUATION;
    get("evaluating").hidden = !isEvaluation;
    if (isEvaluation && this.payoffs.size === 0) {
      get("progress").hidden = true;
      get("progress-text").textContent = "Choose “Bot’s evaluation” to let a bot look at every position.";
    }
  }

  #showChart() {
    const key = `${this.replay.id} ${this.series} ${this.line.at(-1)} ${this.line.length} ${this.payoffs.size}`;
    if (this.chart.name === this.series && this.chartKey === key) {
      this.chart.move(this.index);
      return;
    }
    this.chartKey = key;
    const place = this.replay.series.indexOf(this.series);
    const players = Array.from({ length: this.replay.players }, (_, player) => player);
    const series = players.map((player) =>
      this.line.map((node) => {
        const numbers = place < 0 ? this.payoffs.get(node) : this.tree.node(node).numbers[place];
        return numbers?.[player] ?? null;
      }),
    );
    this.chart.index = this.index;
    this.chart.show(this.series, series, players.map((player) => this.nameOf(player)), this.colours);
  }

  chartKey = "";

  /** Let the bot evaluate the line, and show how far it is, as long as somebody looks. */
  async #evaluate() {
    const [id, end] = [this.replay.id, this.line.at(-1) ?? 0];
    get("progress").hidden = false;
    try {
      for (;;) {
        const found = await request(`/api/replays/${id}/evaluate`, { method: "POST", body: { node: end } });
        if (this.replay.id !== id || this.series !== EVALUATION) return;
        for (const [node, payoffs] of Object.entries(found.payoffs)) this.payoffs.set(Number(node), payoffs);
        /** @type {HTMLProgressElement} */ (get("progress")).value = found.done / Math.max(found.total, 1);
        get("progress-text").textContent = `${found.done} of ${found.total} positions: what the bot expects for each player, 1 is a win`;
        this.#showChart();
        if (found.done >= found.total || this.line.at(-1) !== end) break;
        await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
      }
      if (this.line.at(-1) !== end) await this.#evaluate();
      get("progress").hidden = true;
    } catch (error) {
      get("evaluating").hidden = true;
      this.fail(error);
    }
  }

  // Changing the study

  /** Make a copy if the replay is that of somebody else; its nodes have the same numbers. */
  async #ensureOwn() {
    if (this.replay.is_own) return;
    const { replay } = await request("/api/replays", { method: "POST", body: { copy: this.replay.id } });
    this.replay = replay;
    this.frames.replay = replay.id;
    this.#showOwnership();
    history.replaceState(null, "", this.#fragment());
    get("done").textContent = "This is now a copy of your own.";
  }

  /** @param {any[]} nodes */
  #addNodes(nodes) {
    this.tree.add(nodes);
    this.replay.nodes = [...this.tree.nodes.values()];
    this.moves.show(this.tree, (seat) => this.nameOf(seat));
    void this.goToNode(nodes.at(-1)?.node ?? 0);
  }

  /** @param {Record<string, unknown>} change */
  async #edit(change) {
    try {
      await this.#ensureOwn();
      this.replay = await request(`/api/replays/${this.replay.id}/edit`, { method: "POST", body: change });
      this.#setNodes(this.replay.nodes);
      this.#showOwnership();
      return true;
    } catch (error) {
      this.fail(error);
      return false;
    }
  }

  async #keepNote() {
    const note = /** @type {HTMLTextAreaElement} */ (get("note")).value;
    const node = this.node;
    if (await this.#edit({ node, note })) {
      this.moves.mark(node);
      get("done").textContent = "The note is kept.";
    }
  }

  async #remove() {
    const node = this.tree.variationOf(this.node) ?? this.node;
    const parent = this.tree.node(node).parent;
    if (!(await this.#edit({ node, remove: true }))) return;
    this.chartKey = "";
    this.line = this.tree.lineThrough(parent);
    await this.goToNode(parent);
  }

  async #rename() {
    const title = prompt("The title of this study", this.replay.title)?.trim().slice(0, 80);
    if (title) await this.#edit({ title });
  }

  // The page

  #listen() {
    /** @type {[string, () => void][]} */
    const buttons = [
      ["to-start", () => void this.goTo(0)],
      ["back", () => void this.goTo(this.index - 1)],
      ["forward", () => void this.goTo(this.index + 1)],
      ["to-end", () => void this.goTo(this.line.length - 1)],
      ["play", () => this.play()],
      ["link", () => void this.#copyLink()],
      ["save-note", () => void this.#keepNote()],
      ["copy-study", () => void this.#ensureOwn().catch((error) => this.fail(error))],
      ["remove", () => void this.#remove()],
      ["rename", () => void this.#rename()],
    ];
    for (const [id, work] of buttons) get(id).addEventListener("click", work);
    get("step").addEventListener("input", () => void this.goTo(Number(/** @type {HTMLInputElement} */ (get("step")).value)));
    get("view").addEventListener("change", () => {
      this.view = /** @type {HTMLSelectElement} */ (get("view")).value;
      const index = this.index;
      this.index = -1;
      void this.goTo(index);
    });
    get("all-replays").addEventListener("click", (event) => {
      event.preventDefault();
      location.assign("/replay.html");
      if (location.hash) {
        history.replaceState(null, "", "/replay.html");
        location.reload();
      }
    });
    addEventListener("hashchange", () => void this.start());
    document.addEventListener("keydown", (event) => this.#onKey(event));
    document.addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (isTyping(event.target) || get("opening").hidden || !text) return;
      /** @type {HTMLTextAreaElement} */ (get("open-text")).value = text;
      void this.opening.openText();
    });
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (get("viewer").hidden || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (event.key === "Escape" && this.study.isVarying) {
      if (!this.study.prompt.back()) this.study.toggle();
      return;
    }
    const target = event.target instanceof Element ? event.target : null;
    const isOnTarget = Boolean(target?.closest("[data-target]"));
    const isOnButton = Boolean(target?.closest("button, a, summary, select"));
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => void this.goTo(this.index - 1),
      ArrowRight: () => void this.goTo(this.index + 1),
      ArrowUp: () => void this.goAside(-1),
      ArrowDown: () => void this.goAside(1),
      Home: () => void this.goTo(0),
      End: () => void this.goTo(this.line.length - 1),
      ...(isOnButton ? {} : { " ": () => this.play() }),
    };
    const work = keys[event.key];
    if (!work || isOnTarget || target instanceof HTMLSelectElement) return;
    event.preventDefault();
    if (event.key !== " ") this.pause();
    work();
    if (target?.closest("#moves")) this.moves.buttons.get(this.node)?.focus();
  }

  async #copyLink() {
    const address = new URL(this.#fragment(), location.href).href;
    history.replaceState(null, "", this.#fragment());
    get("done").textContent = (await copyText(address)) ? "The link is copied." : `The link: ${address}`;
  }

  /** @param {unknown} error */
  fail(error) {
    if (!(error instanceof RequestFailed)) throw error;
    get("problem").textContent = capital(error.message);
  }
}

/**
 * @param {string} id
 * @param {boolean} isDisabled
 */
function disable(id, isDisabled) {
  /** @type {HTMLButtonElement} */ (get(id)).disabled = isDisabled;
}

/** @param {string} text */
function capital(text) {
  return text.replace(/^./, (first) => first.toUpperCase());
}

/** @param {EventTarget | null} target */
function isTyping(target) {
  return (target instanceof HTMLInputElement && target.type !== "range") || target instanceof HTMLTextAreaElement;
}

void new ReplayPage().start();
