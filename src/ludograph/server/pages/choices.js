// @ts-check
/**
 * Enter a move in any order: the moves of a question and what was picked so far in, what remains out.
 *
 * A move is a sequence of candidates. A click on anything that occurs in a candidate keeps the moves with
 * this candidate. Nothing here touches the page, so the tests run it without a browser.
 * @module
 */

/**
 * @typedef {object} Step One answer of a move.
 * @property {string} text
 * @property {string} name the action or the input
 * @property {string} kind `action`, `input`, `pick`, `add`, `stop` or `effect`
 * @property {string[]} [targets] the items of the scene that stand for it, the main one first
 * @property {string} [label] the words of the author
 * @property {string} [key] the key that chooses it
 * @property {string} [symbol]
 * @property {string} [colour]
 * @property {string} [entry] inside a loop: what distinguishes inputs with the same name
 */

/** @typedef {{text: string, steps: number[]}} SceneMove a move: its text and the numbers of its steps */

/**
 * @typedef {object} SceneChoices What a seat can do now.
 * @property {Step[]} [steps]
 * @property {SceneMove[]} [moves]
 * @property {boolean} [is_complete] whether the moves are whole; otherwise each is one answer
 */

/** The kinds of steps that together are one value: a list or a table of numbers. */
const REPEATED = new Set(["pick", "add"]);

export class ChoiceFilter {
  /** @param {SceneChoices} [choices] */
  constructor(choices = {}) {
    this.steps = choices.steps ?? [];
    this.moves = choices.moves ?? [];
    /** Whether the moves are whole; otherwise each is one answer, and the server asks on. */
    this.isComplete = choices.is_complete !== false;
    /** @type {number[]} The steps that the player picked, in the order of the clicks; some several times. */
    this.picked = [];
    /** @type {Map<string, number>} The numbers of the table, by their entries; see `table`. */
    this.counts = new Map();
  }

  /** The moves that contain everything that was picked, as often as it was picked. */
  get remaining() {
    const wanted = countAll(this.picked);
    return this.moves.filter((move) => {
      const counts = countAll(move.steps);
      return [...wanted].every(([step, count]) => (counts.get(step) ?? 0) >= count);
    });
  }

  /** Whether there is one move only and the player has not agreed to it yet. */
  get isSole() {
    return this.moves.length === 1 && this.picked.length === 0;
  }

  /** How often each step occurs in all remaining moves; a sole move is not decided before it is picked. */
  get common() {
    if (this.isSole) return new Map();
    const [first, ...others] = this.remaining.map((move) => countAll(move.steps));
    /** @type {Map<number, number>} */
    const common = new Map(first ?? []);
    for (const counts of others) {
      for (const [step, count] of common) common.set(step, Math.min(count, counts.get(step) ?? 0));
    }
    return common;
  }

  /** The steps that are decided, in the order of the first remaining move. */
  get settled() {
    const left = this.common;
    return (this.remaining[0]?.steps ?? []).filter((step) => {
      const count = left.get(step) ?? 0;
      left.set(step, count - 1);
      return count > 0;
    });
  }

  /** The only move that is left; null if there are several or none. */
  get complete() {
    const moves = this.remaining;
    return moves.length === 1 ? (moves[0] ?? null) : null;
  }

  /** Whether the last pick was an element of a list or table: then the player says when it is done. */
  get needsDone() {
    const last = this.picked.at(-1);
    return this.isComplete && last !== undefined && REPEATED.has(this.steps[last]?.kind ?? "");
  }

  /** @param {number} step */
  pick(step) {
    this.counts.clear();
    this.picked.push(step);
  }

  /**
   * Take back the last pick of a step.
   * @param {number} step
   */
  unpick(step) {
    const at = this.picked.lastIndexOf(step);
    if (at >= 0) this.picked.splice(at, 1);
    return at >= 0;
  }

  /**
   * Take back the pick that an item stands for, such as an element of a list.
   * @param {string} item
   */
  unpickItem(item) {
    const found = this.picked.findLast((each) => this.steps[each]?.targets?.[0] === item);
    return found !== undefined && this.unpick(found);
  }

  /**
   * Pick the step that an item stands for. If it stands for several, the main item of the step that is asked
   * for first wins: a click on a piece that can move, and that another piece can take, begins a move with it.
   * @param {string} item
   * @returns {boolean} whether the item stands for anything
   */
  pickItem(item) {
    const found = this.open.filter((each) => this.steps[each]?.targets?.includes(item));
    const first = found.find((each) => this.steps[each]?.targets?.[0] === item) ?? found[0];
    if (first === undefined) return false;
    this.pick(first);
    return true;
  }

  /** Take back the last pick. */
  back() {
    if ([...this.counts.values()].some((each) => each > 0)) {
      this.counts.clear();
      return true;
    }
    return this.picked.pop() !== undefined;
  }

  /** The steps that differ between the remaining moves, those that are asked for first at the beginning. */
  get open() {
    const common = this.common;
    /** @type {Map<number, number>} */
    const places = new Map();
    for (const move of this.remaining) {
      const counts = countAll(move.steps);
      move.steps.forEach((each, place) => {
        if ((counts.get(each) ?? 0) > (common.get(each) ?? 0)) {
          places.set(each, Math.min(place, places.get(each) ?? place));
        }
      });
    }
    return [...places].sort((one, two) => one[1] - two[1] || one[0] - two[0]).map(([each]) => each);
  }

  /** The items that can be clicked now: the main item of each step that is asked for next, or else later. */
  get targets() {
    /** @type {Set<string>} */
    const found = new Set();
    for (const move of this.remaining) {
      const left = this.common;
      const step = move.steps.find((each) => {
        const count = left.get(each) ?? 0;
        left.set(each, count - 1);
        return count <= 0 && this.steps[each]?.targets?.length;
      });
      const target = step === undefined ? undefined : this.steps[step]?.targets?.[0];
      if (target !== undefined) found.add(target);
    }
    return found;
  }

  /** The steps of the next question: those at the first place where the remaining moves differ. */
  get next() {
    /** @type {Set<number>} */
    const found = new Set();
    for (const move of this.remaining) {
      const left = this.common;
      const next = move.steps.find((each) => {
        const count = left.get(each) ?? 0;
        left.set(each, count - 1);
        return count <= 0;
      });
      if (next !== undefined) found.add(next);
    }
    return [...found].sort((one, two) => one - two);
  }

  /** The remaining move that ends where the others go on, if there is one. */
  get shortest() {
    const length = this.settled.length;
    return this.remaining.find((move) => move.steps.length === length) ?? null;
  }

  /**
   * The quantities to choose now: the steps of a table, with how often each was picked.
   * @returns {{step: number, count: number, canGrow: boolean}[]}
   */
  get quantities() {
    return this.#parts("add");
  }

  /**
   * The elements of a list to choose now, with whether each was picked and whether it can be.
   * @returns {{step: number, count: number, canGrow: boolean}[]}
   */
  get elements() {
    return this.#parts("pick");
  }

  /**
   * The steps that together are one value, if one is asked for now.
   * @param {"add" | "pick"} kind
   */
  #parts(kind) {
    const counts = countAll(this.picked);
    const open = new Set(this.open);
    const known = [...open, ...this.picked].filter((each) => this.steps[each]?.kind === kind);
    const name = known.length > 0 ? this.steps[known[0] ?? 0]?.name : undefined;
    if (name === undefined) return [];
    const shown = this.steps.flatMap((step, number) => (step.kind === kind && step.name === name ? [number] : []));
    return shown.map((step) => ({ step, count: counts.get(step) ?? 0, canGrow: open.has(step) }));
  }

  /**
   * How many elements or what sum is possible, over all moves that contain what was picked before the value.
   * @param {"add" | "pick"} kind
   * @returns {{least: number, most: number}}
   */
  bounds(kind) {
    const sums = this.remaining.map((move) => move.steps.filter((each) => this.steps[each]?.kind === kind).length);
    return { least: Math.min(...sums), most: Math.max(...sums) };
  }

  /**
   * If the remaining moves differ only in the numbers of a loop: its entries, and the numbers of each move.
   * @returns {{entries: string[], rows: {move: SceneMove, numbers: Map<string, number>}[]} | null}
   */
  get table() {
    const moves = this.remaining;
    if (!this.isComplete || moves.length < 2) return null;
    const rows = moves.map((move) => ({ move, ...this.#splitNumbers(move) }));
    const [first] = rows;
    if (!first || first.numbers.size < 2) return null;
    const entries = [...first.numbers.keys()];
    const isTable = rows.every((row) => row.rest === first.rest && row.numbers.size === entries.length && entries.every((each) => row.numbers.has(each)));
    return isTable ? { entries, rows } : null;
  }

  /**
   * The numbers of a move that belong to entries, and the rest of the move as a key.
   * @param {SceneMove} move
   */
  #splitNumbers(move) {
    /** @type {Map<string, number>} */
    const numbers = new Map();
    const rest = [];
    for (const each of move.steps) {
      const step = this.steps[each];
      if (step?.entry && step.kind === "input" && /^\d+$/.test(step.text) && !numbers.has(step.entry)) {
        numbers.set(step.entry, Number(step.text));
      } else {
        rest.push(each);
      }
    }
    return { numbers, rest: rest.join() };
  }

  /** The rows of the table that the counts can still become. */
  #rowsAbove() {
    const counts = [...this.counts];
    return (this.table?.rows ?? []).filter(({ numbers }) => counts.every(([entry, count]) => (numbers.get(entry) ?? 0) >= count));
  }

  /**
   * Whether a number of the table can be one more.
   * @param {string} entry
   */
  canCount(entry) {
    const count = (this.counts.get(entry) ?? 0) + 1;
    return this.#rowsAbove().some(({ numbers }) => (numbers.get(entry) ?? 0) >= count);
  }

  /** The move with exactly the numbers of the table. */
  get counted() {
    const found = this.#rowsAbove().find(({ numbers }) => [...numbers].every(([entry, number]) => number === (this.counts.get(entry) ?? 0)));
    return found?.move ?? null;
  }

  /** The sums that the table can still have. */
  get sums() {
    const sums = this.#rowsAbove().map(({ numbers }) => [...numbers.values()].reduce((sum, each) => sum + each, 0));
    return { least: Math.min(...sums), most: Math.max(...sums) };
  }

  /** The action that the player has begun to enter; empty if there is none. */
  get begun() {
    const found = this.picked.find((each) => this.steps[each]?.kind === "action");
    return found === undefined ? "" : (this.steps[found]?.text ?? "");
  }
}

/**
 * How often each number occurs.
 * @param {number[]} numbers
 */
function countAll(numbers) {
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const each of numbers) counts.set(each, (counts.get(each) ?? 0) + 1);
  return counts;
}

/**
 * What a button says for a step.
 * @param {Step} step
 */
export function stepLabel(step) {
  if (step.label) return step.label;
  const isPlain = !step.text.includes(".") || step.targets?.length;
  if (step.kind === "action" && isPlain) return readableName(step.name);
  if (step.kind === "stop") return "Done";
  return readableName(step.text);
}

/**
 * A name of the source as words: `buy_card` is "Buy card".
 * @param {string} name
 */
export function readableName(name) {
  const words = name.replaceAll("_", " ").trim();
  return /^[a-z]/.test(words) && !/[.[(#\d]/.test(words) ? words[0]?.toUpperCase() + words.slice(1) : words;
}
