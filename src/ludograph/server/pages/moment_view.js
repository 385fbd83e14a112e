// @ts-check
/**
 * An earlier position on the board, while the game goes on: with a way back, and an undo to this position.
 * @module
 */

import { create, fill } from "./dom.js";
import { countMoves } from "./stream_state.js";

export class MomentView {
  /**
   * @param {HTMLElement} host
   * @param {object} table
   * @param {() => import("./stream_state.js").LogEntry[]} table.log
   * @param {(kept: number) => Promise<any>} table.ask asks the server for a position
   * @param {(scene: any) => void} table.onScene
   * @param {(count: number | null) => void} table.onChange another position is shown; null: the present one
   * @param {(kept: number) => void} table.onUndo
   * @param {() => boolean} table.canUndo
   */
  constructor(host, table) {
    this.host = host;
    this.table = table;
    this.isShown = false;
  }

  /**
   * Show the position after so many moves, with the chance that follows them.
   * @param {number} count
   */
  async show(count) {
    const counted = countMoves(this.table.log());
    const total = counted.at(-1)?.count ?? 0;
    const kept = this.#withChance(count);
    if (kept >= total) {
      this.hide();
      return;
    }
    const answer = await this.table.ask(kept);
    if (answer?.type !== "moment") {
      this.#say(answer?.message ?? "The server does not answer.");
      return;
    }
    this.isShown = true;
    this.table.onScene(answer.scene);
    this.table.onChange(count);
    this.#say(
      kept === 0 ? "The start" : `After move ${kept} of ${total}`,
      this.table.canUndo()
        ? create(
            "button",
            {
              type: "button",
              onclick: () => {
                this.hide();
                this.table.onUndo(kept);
              },
            },
            "Undo to here",
          )
        : null,
    );
  }

  hide() {
    this.host.hidden = true;
    if (!this.isShown) return;
    this.isShown = false;
    this.table.onChange(null);
  }

  /**
   * @param {string} words
   * @param {HTMLElement | null} [button]
   */
  #say(words, button = null) {
    this.host.hidden = false;
    fill(
      this.host,
      create("span", { class: "grow" }, words),
      button,
      create("button", { type: "button", class: "primary", onclick: () => this.hide() }, "Back to the game ", create("kbd", {}, "Esc")),
    );
  }

  /**
   * The number of moves with those of chance that follow.
   * @param {number} count
   */
  #withChance(count) {
    const log = this.table.log();
    const counted = countMoves(log);
    let kept = count;
    log.forEach((entry, index) => {
      const at = counted[index];
      if (entry.kind === "move" && at?.counts && at.count === kept + 1 && entry.seat < 0) kept += 1;
    });
    return kept;
  }
}
