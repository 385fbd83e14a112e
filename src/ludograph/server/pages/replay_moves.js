// @ts-check
/**
 * The list of the moves of a replay, with variations below the moves that they replace.
 * @module
 */

import { create, fill } from "./dom.js";
import { markOf } from "./log_view.js";
import { moveName } from "./replay_tree.js";

/** @typedef {import("./replay_tree.js").ReplayTree} ReplayTree */

const MAX_DEPTH = 6;

export class MoveList {
  /**
   * @param {HTMLElement} host
   * @param {(node: number) => void} onPick
   */
  constructor(host, onPick) {
    this.host = host;
    /** @type {Map<number, HTMLElement>} */
    this.buttons = new Map();
    /** @type {number} */
    this.current = -1;
    host.addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest("[data-node]") : null;
      if (button) onPick(Number(button.getAttribute("data-node")));
    });
  }

  /**
   * @param {ReplayTree} tree
   * @param {(seat: number) => string} nameOf
   */
  show(tree, nameOf) {
    this.buttons.clear();
    /** @type {Map<number, number>} how many moves lead to each node */
    const depths = new Map();
    const rows = tree.rows().map((row) => {
      const node = tree.node(row.node);
      depths.set(row.node, node.parent < 0 ? 0 : (depths.get(node.parent) ?? 0) + 1);
      const number = depths.get(row.node) ?? 0;
      const button = create(
        "button",
        {
          type: "button",
          class: `move depth-${Math.min(row.depth, MAX_DEPTH)}${row.starts ? " starts" : ""}`,
          "data-node": row.node,
          tabindex: -1,
        },
        create("span", { class: "number" }, number > 0 ? number : ""),
        create("span", { class: "who", "aria-label": node.parent < 0 ? "" : nameOf(node.seat) }, markOf(node.seat)),
        create("span", { class: node.notation ? "notation" : "text" }, moveName(node)),
        node.words ? create("span", { class: "words" }, withoutPlayer(node.words)) : null,
        node.note ? create("span", { class: "noted", title: node.note, "aria-label": "with a note" }, "✎") : null,
      );
      this.buttons.set(row.node, button);
      return button;
    });
    fill(this.host, ...rows);
    this.mark(this.current);
  }

  /**
   * Mark the present move and bring it into sight, without moving the page.
   * @param {number} node
   */
  mark(node) {
    const before = this.buttons.get(this.current);
    before?.removeAttribute("aria-current");
    before?.setAttribute("tabindex", "-1");
    this.current = node;
    const button = this.buttons.get(node);
    if (!button) return;
    button.setAttribute("aria-current", "true");
    button.setAttribute("tabindex", "0");
    const [top, bottom] = [button.offsetTop, button.offsetTop + button.offsetHeight];
    const { scrollTop, clientHeight } = this.host;
    if (top < scrollTop || bottom > scrollTop + clientHeight) this.host.scrollTop = top - clientHeight / 2;
  }
}

/** The mark says who it is. @param {string} words */
function withoutPlayer(words) {
  return words.replace(/^player \d /, "");
}
