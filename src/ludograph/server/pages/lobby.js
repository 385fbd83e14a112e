// @ts-check
/**
 * The lobby: the shipped games with “Play now”, tables to join, my games, and a table for one's own rules.
 * @module
 */

import { RequestFailed, request } from "./api.js";
import { create, fill, get } from "./dom.js";
import { GAME_WORDS } from "./game_words.js";

/**
 * @typedef {{name: string, title: string, players: number[]}} GameSummary
 * @typedef {{name: string, description: string}} BotLevel
 * @typedef {{name: string, title: string, players: number[], options: any[], setups: string[], has_secrets: boolean}} GameDetails
 */

const FIRST_GAME = "hexil";
const TAKEOVER_SECONDS = 300;

/** @type {BotLevel[]} */
let levels = [];

async function start() {
  listen();
  try {
    const [games, bots] = await Promise.all([request("/api/games"), request("/api/bots")]);
    levels = bots.bots;
    showLevels();
    showGames(games.games);
    await Promise.all([showTables(), showName().catch(() => {})]);
    setInterval(() => void showTables().catch(() => {}), 10_000);
  } catch (error) {
    fail(error);
  }
}

/** @param {unknown} error */
function fail(error) {
  if (!(error instanceof RequestFailed)) throw error;
  get("problem").textContent = error.message;
}

function listen() {
  get("play-hexil").addEventListener("click", () => void playNow(FIRST_GAME, 4));
  get("write-game").addEventListener("click", () => openSourceDialog());
  get("search").addEventListener("input", (event) => {
    const wanted = /** @type {HTMLInputElement} */ (event.target).value.trim().toLowerCase();
    for (const card of get("games").children) {
      /** @type {HTMLElement} */ (card).hidden = !(card.textContent ?? "").toLowerCase().includes(wanted);
    }
  });
  get("level").addEventListener("change", () => remember(LEVEL_KEY, levelField().value));
  get("name-form").addEventListener("submit", (event) => {
    event.preventDefault();
    void rename();
  });
  get("name").addEventListener("change", () => void rename());
  get("dialog-cancel").addEventListener("click", () => dialog().close());
}

const dialog = () => /** @type {HTMLDialogElement} */ (get("table-dialog"));

// Games

/** @param {GameSummary[]} games */
function showGames(games) {
  const order = [...games].sort((one, two) => Number(two.name === FIRST_GAME) - Number(one.name === FIRST_GAME));
  fill(get("games"), ...order.map(gameCard));
}

/** @param {GameSummary} game */
function gameCard(game) {
  const about = GAME_WORDS[game.name];
  const least = Math.min(...game.players);
  const most = Math.max(...game.players);
  return create(
    "li",
    { class: "game", "data-game": game.name },
    create(
      "div",
      { class: "picture" },
      create("img", { src: `/pictures/${game.name}.svg`, alt: "", loading: "lazy", width: 320, height: 240 }),
    ),
    create(
      "div",
      { class: "words" },
      create("h3", {}, game.title),
      create("p", {}, about?.words ?? ""),
      create(
        "div",
        { class: "facts" },
        create("span", {}, least === most ? `${least} players` : `${least} to ${most} players`),
        about ? create("span", {}, `${about.minutes} min`) : null,
      ),
      create(
        "div",
        { class: "row" },
        create(
          "button",
          {
            type: "button",
            class: "primary",
            "aria-label": `Play ${game.title} against bots now`,
            onclick: () => void playNow(game.name, game.name === FIRST_GAME ? 4 : least),
          },
          "Play now",
        ),
        create(
          "button",
          {
            type: "button",
            "aria-label": `Open a table for friends to play ${game.title}`,
            onclick: () => void openTableDialog(game.name),
          },
          "Table for friends",
        ),
      ),
    ),
  );
}

const LEVEL_KEY = "ludograph-level";

const levelField = () => /** @type {HTMLSelectElement} */ (get("level"));

/** The levels of bots to choose from; at first the last choice, or else the middle one. */
function showLevels() {
  fill(levelField(), ...levels.map((each) => create("option", { value: each.name, title: each.description }, each.name)));
  const names = levels.map((each) => each.name);
  const known = recall(LEVEL_KEY);
  levelField().value = names.includes(known) ? known : names.includes("medium") ? "medium" : (names[0] ?? "");
}

/** The level that “Play now” uses. */
function defaultLevel() {
  return levelField().value;
}

/** @param {string} key */
function recall(key) {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return ""; // storage may be forbidden
  }
}

/**
 * @param {string} key
 * @param {string} value
 */
function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The choice then lasts as long as the page.
  }
}

// The name

const nameField = () => /** @type {HTMLInputElement} */ (get("name"));

/** Tell the server the name that others see. */
async function rename() {
  const name = nameField().value.trim();
  if (!name) return;
  try {
    await request("/api/session", { method: "POST", body: { name } });
    get("announcer").textContent = `Others see you as ${name}.`;
  } catch (error) {
    fail(error);
  }
}

async function showName() {
  const { name } = await request("/api/session");
  nameField().value = name === "guest" ? "" : (name ?? "");
}

/**
 * @param {string} game
 * @param {number} players
 */
async function playNow(game, players) {
  get("problem").textContent = "";
  const bots = Array.from({ length: players - 1 }, () => ({ kind: "bot", bot: defaultLevel() }));
  await open({ game, players, seats: [{ kind: "me" }, ...bots] }, get("problem"));
}

/**
 * @param {Record<string, unknown>} table
 * @param {HTMLElement} problem
 */
async function open(table, problem) {
  try {
    const own = await request("/api/tables", { method: "POST", body: { ...table, entropy: newEntropy() } });
    location.href = `/table.html#id=${own.table.id}`;
  } catch (error) {
    if (!(error instanceof RequestFailed)) throw error;
    problem.textContent = error.message;
  }
}

function newEntropy() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((each) => each.toString(16).padStart(2, "0")).join("");
}

// Tables

async function showTables() {
  const { tables } = await request("/api/tables");
  const mine = tables.filter((/** @type {any} */ each) => each.seats.length > 0);
  const others = tables.filter((/** @type {any} */ each) => each.seats.length === 0);
  const running = mine.filter((/** @type {any} */ each) => ["waiting", "playing"].includes(each.table.stage));
  const finished = mine.filter((/** @type {any} */ each) => !running.includes(each));
  showRows("tables", others, "Join");
  showRows("mine", running, "Play on");
  showRows("finished", finished, "Look");
  get("no-tables").hidden = others.length > 0;
  get("mine-section").hidden = mine.length === 0;
  get("finished-section").hidden = finished.length === 0;
}

/** @type {Map<string, string>} what each list shows, so that it is only drawn anew when it has changed */
const shownRows = new Map();

/**
 * @param {string} id
 * @param {any[]} rows
 * @param {string} word
 */
function showRows(id, rows, word) {
  const state = JSON.stringify(rows);
  if (shownRows.get(id) === state) return;
  shownRows.set(id, state);
  fill(get(id), ...rows.map((each) => tableRow(each, word)));
}

const STAGES = /** @type {Record<string, string>} */ ({
  waiting: "waiting for players",
  playing: "playing",
  over: "over",
  stopped: "stopped",
});

/**
 * @param {any} own
 * @param {string} word
 */
function tableRow(own, word) {
  const { table } = own;
  const names = table.seats.map((/** @type {any} */ seat) => seat.name || (seat.kind === "bot" ? `bot ${seat.bot}` : "free"));
  return create(
    "li",
    {},
    table.game
      ? create("img", { class: "small", src: `/pictures/${table.game}.svg`, alt: "", loading: "lazy", width: 64, height: 48 })
      : null,
    create(
      "span",
      { class: "grow" },
      create("strong", {}, table.title || table.game_title),
      " ",
      create("span", { class: "quiet" }, `${names.join(", ")} · ${STAGES[table.stage] ?? table.stage}`),
    ),
    table.stage === "over"
      ? create(
          "a",
          {
            class: "button",
            href: `/replay.html#table=${table.id}`,
            "aria-label": `Replay: ${table.title || table.game_title}`,
          },
          "Replay",
        )
      : null,
    create(
      "a",
      { class: "button", href: `/table.html#id=${table.id}`, "aria-label": `${word}: ${table.title || table.game_title}` },
      word,
    ),
  );
}

// A table for friends

/** @param {string} name */
async function openTableDialog(name) {
  /** @type {GameDetails} */
  let game;
  try {
    game = await request(`/api/games/${encodeURIComponent(name)}`);
  } catch (error) {
    fail(error);
    return;
  }
  showDialog(game, { game: name });
}

/** The dialog for one's own rules: the source is checked before the seats are chosen. */
function openSourceDialog() {
  get("dialog-title").textContent = "Play your own rules";
  get("dialog-problem").textContent = "";
  const source = create("textarea", { rows: 12, id: "source", spellcheck: false, placeholder: 'game "My game";' });
  fill(
    get("dialog-fields"),
    create("label", { class: "field" }, "The rules, in TGDL", source),
    create("label", { class: "field" }, "or a file", create("input", {
      type: "file",
      accept: ".tgdl,text/plain",
      onchange: async (/** @type {any} */ event) => {
        source.value = (await event.target.files[0]?.text()) ?? "";
      },
    })),
  );
  get("dialog-open").textContent = "Check";
  onSubmit(() => void checkSource(source.value));
  dialog().showModal();
}

/** @param {string} source */
async function checkSource(source) {
  get("dialog-problem").textContent = "";
  try {
    const checked = await request("/api/check", { method: "POST", body: { source } });
    if (checked.game) {
      showDialog(checked.game, { source });
      return;
    }
    get("dialog-problem").textContent = checked.problems
      .map((/** @type {any} */ each) => `line ${each.line}: ${each.message}${each.hint ? `\n  hint: ${each.hint}` : ""}`)
      .join("\n");
  } catch (error) {
    if (!(error instanceof RequestFailed)) throw error;
    get("dialog-problem").textContent = error.message;
  }
}

/** @type {AbortController | null} */
let submitting = null;

/** @param {() => void} work */
function onSubmit(work) {
  submitting?.abort();
  submitting = new AbortController();
  get("table-form").addEventListener(
    "submit",
    (event) => {
      event.preventDefault();
      work();
    },
    { signal: submitting.signal },
  );
}

/**
 * Choose players, seats and options.
 * @param {GameDetails} game
 * @param {Record<string, unknown>} base the game or the source
 */
function showDialog(game, base) {
  get("dialog-title").textContent = `New table: ${game.title}`;
  get("dialog-problem").textContent = "";
  get("dialog-open").textContent = "Open the table";
  const least = Math.min(...game.players);
  const most = Math.max(...game.players);
  const seats = create("div", { class: "seats" });
  const players = create("input", {
    type: "number",
    min: least,
    max: most,
    value: least,
    onchange: () => showSeats(),
  });
  const showSeats = () => {
    const count = Math.min(Math.max(Number(players.value) || least, least), most);
    players.value = String(count);
    fill(seats, ...Array.from({ length: count }, (_, seat) => seatRow(seat)));
  };
  showSeats();
  const listed = create("input", { type: "checkbox" });
  const takeover = create("input", { type: "checkbox", checked: true });
  const options = game.options.map(optionField);
  const setup = create("select", {}, create("option", { value: "" }, "usual"), ...game.setups.map((each) => create("option", { value: each }, each)));
  fill(
    get("dialog-fields"),
    least === most ? null : create("label", { class: "field" }, "Players", players),
    seats,
    create("label", { class: "row" }, listed, "Show the table to everybody in the lobby"),
    create("label", { class: "row" }, takeover, "A bot plays for people who are away for five minutes"),
    options.length > 0 || game.setups.length > 0
      ? create(
          "details",
          {},
          create("summary", {}, "Options"),
          ...options.map((each) => each.element),
          game.setups.length > 0 ? create("label", { class: "field" }, "Start", setup) : null,
        )
      : null,
  );
  onSubmit(() => {
    const chosen = [...seats.querySelectorAll(".seat")].map(readSeat);
    const settings = Object.fromEntries(options.flatMap((each) => each.read()));
    void open(
      {
        ...base,
        players: chosen.length,
        seats: chosen,
        listed: listed.checked,
        takeover_seconds: takeover.checked ? TAKEOVER_SECONDS : null,
        options: settings,
        ...(setup.value ? { setup: setup.value } : {}),
      },
      get("dialog-problem"),
    );
  });
  if (!dialog().open) dialog().showModal();
}

/** @param {number} seat */
function seatRow(seat) {
  const choices = [
    ["me", "me (at this screen)"],
    ["invited", "a friend, by a link"],
    ["open", "anybody who finds the table"],
    ...levels.map((each) => [`bot ${each.name}`, `bot: ${each.name}`]),
  ];
  const select = create(
    "select",
    { "aria-label": `Seat ${seat + 1}` },
    ...choices.map(([value, words]) => create("option", { value }, words)),
  );
  select.value = seat === 0 ? "me" : "invited";
  // Several people at one screen need names; one person has the name of the session.
  const name = create("input", { "aria-label": `Name of player ${seat + 1}`, placeholder: "Name", maxlength: 40 });
  const showName = () => {
    const mine = [...get("dialog-fields").querySelectorAll(".seat select")].filter(
      (each) => each instanceof HTMLSelectElement && each.value === "me",
    );
    for (const row of get("dialog-fields").querySelectorAll(".seat")) {
      const [field, chosen] = [row.querySelector("input"), row.querySelector("select")];
      if (field) field.hidden = chosen?.value !== "me" || mine.length < 2;
    }
  };
  select.addEventListener("change", showName);
  name.hidden = true;
  return create("div", { class: "seat" }, create("span", {}, `Player ${seat + 1}`), select, name);
}

/** @param {Element} row */
function readSeat(row) {
  const [kind, bot] = (row.querySelector("select")?.value ?? "open").split(" ");
  const field = row.querySelector("input");
  const name = field && !field.hidden ? field.value.trim() : "";
  return { kind, ...(bot ? { bot } : {}), ...(name ? { name } : {}) };
}

/**
 * The field of an option, and how to read what differs from the default.
 * @param {any} option
 * @returns {{element: HTMLElement, read: () => [string, boolean | number | string][]}}
 */
function optionField(option) {
  const words = option.name.replaceAll("_", " ");
  if (typeof option.default === "boolean") {
    const box = create("input", { type: "checkbox", checked: option.default });
    return {
      element: create("label", { class: "row" }, box, words),
      read: () => (box.checked === option.default ? [] : [[option.name, box.checked]]),
    };
  }
  if (option.choices.length > 0) {
    const select = create("select", {}, ...option.choices.map((/** @type {string} */ each) => create("option", {}, each)));
    select.value = String(option.default);
    const isNumber = typeof option.default === "number";
    return {
      element: create("label", { class: "field" }, words, select),
      read: () =>
        select.value === String(option.default) ? [] : [[option.name, isNumber ? Number(select.value) : select.value]],
    };
  }
  const field = create("input", { type: "number", value: option.default, min: option.low, max: option.high, step: "any" });
  return {
    element: create("label", { class: "field" }, words, field),
    read: () => (Number(field.value) === option.default ? [] : [[option.name, Number(field.value)]]),
  };
}

void start();
