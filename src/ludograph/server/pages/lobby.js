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

/** @type {BotLevel[]} */
let levels = [];

async function start() {
  listen();
  try {
    const [games, bots] = await Promise.all([request("/api/games"), request("/api/bots")]);
    levels = bots.bots;
    showGames(games.games);
    await showTables();
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

/** The level that “Play now” uses: the middle one. */
function defaultLevel() {
  return (levels.find((each) => each.name === "medium") ?? levels[0])?.name ?? "";
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
  fill(get("tables"), ...others.map((/** @type {any} */ each) => tableRow(each, "Join")));
  fill(get("mine"), ...mine.map((/** @type {any} */ each) => tableRow(each, "Open")));
  get("no-tables").hidden = others.length > 0;
  get("no-games").hidden = mine.length > 0;
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
    create(
      "span",
      { class: "grow" },
      create("strong", {}, table.title || table.game_title),
      " ",
      create("span", { class: "quiet" }, `${names.join(", ")} · ${STAGES[table.stage] ?? table.stage}`),
    ),
    table.stage === "over" ? create("a", { class: "button", href: `/replay.html#table=${table.id}` }, "Replay") : null,
    create("a", { class: "button", href: `/table.html#id=${table.id}` }, word),
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
  const options = game.options.map(optionField);
  const setup = create("select", {}, create("option", { value: "" }, "usual"), ...game.setups.map((each) => create("option", { value: each }, each)));
  fill(
    get("dialog-fields"),
    least === most ? null : create("label", { class: "field" }, "Players", players),
    seats,
    create("label", { class: "row" }, listed, "Show the table to everybody in the lobby"),
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
    const chosen = [...seats.querySelectorAll("select")].map((each) => seatOf(each.value));
    const settings = Object.fromEntries(options.flatMap((each) => each.read()));
    void open(
      {
        ...base,
        players: chosen.length,
        seats: chosen,
        listed: listed.checked,
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
  return create("div", { class: "seat" }, create("span", {}, `Player ${seat + 1}`), select);
}

/** @param {string} value */
function seatOf(value) {
  const [kind, bot] = value.split(" ");
  return bot ? { kind, bot } : { kind };
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
