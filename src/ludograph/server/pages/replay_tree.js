// @ts-check
/**
 * The tree of a replay: its nodes in, lines and rows of moves out. Nothing here touches the page.
 * @module
 */

/**
 * @typedef {object} ReplayNode
 * @property {number} node
 * @property {number} parent
 * @property {number} seat
 * @property {string} text
 * @property {string} words
 * @property {string} notation
 * @property {string} note
 * @property {boolean} is_variation
 * @property {number[][]} numbers
 */

/** @typedef {{node: number, depth: number, starts: boolean}} MoveRow `starts`: it is the first of a variation */

export class ReplayTree {
  /** @param {ReplayNode[]} nodes */
  constructor(nodes) {
    /** @type {Map<number, ReplayNode>} */
    this.nodes = new Map(nodes.map((each) => [each.node, each]));
    /** @type {Map<number, number[]>} */
    this.children = new Map();
    for (const each of [...nodes].sort((one, two) => one.node - two.node)) this.#link(each);
  }

  /** @param {ReplayNode} node */
  #link(node) {
    if (node.parent < 0) return;
    const siblings = this.children.get(node.parent) ?? [];
    if (!siblings.includes(node.node)) siblings.push(node.node);
    this.children.set(node.parent, siblings);
  }

  /** @param {ReplayNode[]} nodes */
  add(nodes) {
    for (const each of nodes) {
      this.nodes.set(each.node, each);
      this.#link(each);
    }
  }

  /**
   * The node with a number; a replay always has the start.
   * @param {number} number
   * @returns {ReplayNode}
   */
  node(number) {
    const found = this.nodes.get(number) ?? this.nodes.get(0);
    if (!found) throw new Error("a replay has no nodes");
    return found;
  }

  /**
   * The nodes from the start to a node, and on to the end of the line that continues from it.
   * @param {number} number
   */
  lineThrough(number) {
    const line = this.pathTo(number);
    for (let next = this.children.get(line.at(-1) ?? 0)?.[0]; next !== undefined; next = this.children.get(next)?.[0]) {
      line.push(next);
    }
    return line;
  }

  /**
   * The nodes from the start to a node.
   * @param {number} number
   */
  pathTo(number) {
    const path = [];
    for (let at = this.node(number); ; at = this.node(at.parent)) {
      path.unshift(at.node);
      if (at.parent < 0) return path;
    }
  }

  /**
   * The other moves that were tried in the place of a node, with the node itself.
   * @param {number} number
   */
  siblings(number) {
    return this.children.get(this.node(number).parent) ?? [number];
  }

  /** The first node of the variation that a node belongs to; null on the main line. @param {number} number */
  variationOf(number) {
    const path = this.pathTo(number);
    const first = path.find((each) => this.children.get(this.node(each).parent)?.[0] !== each && each !== 0);
    return first ?? null;
  }

  /** The rows of a list of moves: each variation follows the move that it replaces. */
  rows() {
    /** @type {MoveRow[]} */
    const rows = [];
    /** @type {MoveRow[]} What follows, the next one last. */
    const waiting = [{ node: 0, depth: 0, starts: false }];
    for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
      rows.push(row);
      const next = this.children.get(row.node)?.[0];
      if (next !== undefined) waiting.push({ node: next, depth: row.depth, starts: false });
      if (row.starts) continue;
      const others = (this.children.get(this.node(row.node).parent) ?? []).slice(1);
      for (const each of others.reverse()) waiting.push({ node: each, depth: row.depth + 1, starts: true });
    }
    return rows;
  }
}

/**
 * What a node says: its notation if it has one, its words, or its text.
 * @param {ReplayNode} node
 */
export function moveName(node) {
  return node.parent < 0 ? "Start" : node.notation || node.text || node.words;
}

/**
 * A move as a sentence, for captions and for people who listen.
 * @param {ReplayNode} node
 * @param {(seat: number) => string} nameOf
 */
export function moveSentence(node, nameOf) {
  if (node.parent < 0) return "The start of the game";
  if (node.words) return node.words.replace(/\bplayer (\d)\b/g, (_, digit) => nameOf(Number(digit) - 1)).replace(/^./, (first) => first.toUpperCase());
  return `${nameOf(node.seat)}: ${node.text}`;
}
