// @ts-check
/**
 * Enter a move in any order: the moves of a question and what was picked so far in, what remains out.
 *
 * A move is a sequence of candidates. A click on anything that occurs in a candidate keeps the moves with
 * this candidate. Nothing here touches the page, so the tests run it without a browser.
 * @module
 */

/**
 * @typedef {object} Candidate One answer of a question.
 * @property {string} text
 * @property {string} name the action or the input
 * @property {string} kind `action`, `input`, `pick`, `add`, `stop` or `effect`
 * @property {string[]} items the items of the scene that stand for it
 * @property {string} [label] the words of the author
 * @property {string} [key] the key that chooses it
 * @property {string} [symbol]
 * @property {string} [colour]
 */

/** @typedef {number[]} MovePath the numbers of the candidates of one move, in order */

export class ChoiceFilter {
  /**
   * @param {Candidate[]} candidates
   * @param {MovePath[]} moves
   */
  constructor(candidates, moves) {
    this.candidates = candidates;
    this.moves = moves;
    /** @type {number[]} The candidates that the player picked, in the order of the clicks. */
    this.picked = [];
  }

  /** The moves that contain everything that was picked. */
  get remaining() {
    return this.moves.filter((move) => this.picked.every((each) => move.includes(each)));
  }

  /** The candidates that all remaining moves have in common, in the order of the move. */
  get settled() {
    const moves = this.remaining;
    const first = moves[0] ?? [];
    return first.filter((each) => moves.every((move) => move.includes(each)));
  }

  /** The number of the only remaining move; null if there are several. */
  get complete() {
    const moves = this.remaining;
    const only = moves[0];
    return moves.length === 1 && only !== undefined ? this.moves.indexOf(only) : null;
  }

  /** @param {number} candidate */
  pick(candidate) {
    if (!this.picked.includes(candidate)) this.picked.push(candidate);
  }

  /**
   * Pick the candidate that an item stands for. If it stands for several, the one that is asked for first
   * wins: a click on a piece that can move, and that another piece can take, begins a move with it.
   * @param {string} item
   * @returns {boolean} whether the item stands for anything
   */
  pickItem(item) {
    const found = this.candidatesOf(item);
    const first = found[0];
    if (first === undefined) return false;
    this.pick(first);
    return true;
  }

  /**
   * The open candidates that an item stands for, those that are asked for first at the beginning.
   * @param {string} item
   */
  candidatesOf(item) {
    return this.open.filter((each) => this.candidates[each]?.items.includes(item));
  }

  /** Take back the last pick. */
  back() {
    return this.picked.pop() !== undefined;
  }

  clear() {
    this.picked = [];
  }

  /** The candidates that differ between the remaining moves, by the place at which they are asked for. */
  get open() {
    const moves = this.remaining;
    const settled = new Set(this.settled);
    /** @type {Map<number, number>} */
    const places = new Map();
    for (const move of moves) {
      move.forEach((each, place) => {
        if (!settled.has(each)) places.set(each, Math.min(place, places.get(each) ?? place));
      });
    }
    return [...places].sort((one, two) => one[1] - two[1] || one[0] - two[0]).map(([each]) => each);
  }

  /** The items that can be clicked now. */
  get targets() {
    return new Set(this.open.flatMap((each) => this.candidates[each]?.items ?? []));
  }

  /**
   * The candidates of the next question: those that the remaining moves have at the first place where they
   * differ. Candidates without items need a button; those with items may have one too.
   */
  get next() {
    const moves = this.remaining;
    const settled = new Set(this.settled);
    /** @type {Set<number>} */
    const found = new Set();
    for (const move of moves) {
      const next = move.find((each) => !settled.has(each));
      if (next !== undefined) found.add(next);
    }
    return [...found].sort((one, two) => one - two);
  }

  /** Whether one of the remaining moves ends where the others go on. */
  get shortest() {
    const settled = new Set(this.settled);
    const found = this.remaining.findIndex((move) => move.every((each) => settled.has(each)));
    return found < 0 ? null : this.moves.indexOf(/** @type {MovePath} */ (this.remaining[found]));
  }
}

/**
 * What a button says for a candidate.
 * @param {Candidate} candidate
 */
export function candidateLabel(candidate) {
  if (candidate.label) return candidate.label;
  if (candidate.kind === "stop") return "Done";
  return readableName(candidate.text);
}

/**
 * A name of the source as words: `buy_card` is "Buy card".
 * @param {string} name
 */
export function readableName(name) {
  const words = name.replaceAll("_", " ").trim();
  return /^[a-z]/.test(words) && !/[.[(#\d]/.test(words) ? words[0]?.toUpperCase() + words.slice(1) : words;
}
