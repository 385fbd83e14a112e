// @ts-check
/**
 * The frames of a replay: pages of scenes from the server, kept by view and node.
 * @module
 */

import { request } from "./api.js";
import { sceneAfter } from "./scene_changes.js";

const PAGE = 40;
const MAX_KEPT = 3000;

export class Frames {
  /** @param {string} replay */
  constructor(replay) {
    this.replay = replay;
    /** @type {Map<string, any>} scenes by view and node */
    this.scenes = new Map();
    /** @type {Map<string, Promise<void>>} */
    this.loading = new Map();
  }

  /**
   * The scene at a place of a line.
   * @param {number[]} line
   * @param {number} index
   * @param {string} view
   * @returns {Promise<any>}
   */
  async scene(line, index, view) {
    const key = `${view} ${line[index]}`;
    if (!this.scenes.has(key)) await this.#load(line, index, view);
    const next = line[index + PAGE / 2];
    if (next !== undefined && !this.scenes.has(`${view} ${next}`)) {
      void this.#load(line, index + PAGE / 2, view).catch(() => {}); // it is asked for again when it is needed
    }
    return this.scenes.get(key);
  }

  /**
   * @param {number[]} line
   * @param {number} index
   * @param {string} view
   */
  #load(line, index, view) {
    let first = index;
    const least = Math.max(0, index - (index % PAGE));
    while (first > least && !this.scenes.has(`${view} ${line[first - 1]}`)) first -= 1;
    const end = line[Math.min(first + PAGE, line.length) - 1] ?? 0;
    const key = `${view} ${first} ${end}`;
    const known = this.loading.get(key);
    if (known) return known;
    const loading = this.#fetch(end, first, view).finally(() => this.loading.delete(key));
    this.loading.set(key, loading);
    return loading;
  }

  /**
   * @param {number} node
   * @param {number} first
   * @param {string} view
   */
  async #fetch(node, first, view) {
    const query = new URLSearchParams({ node: String(node), first: String(first), count: String(PAGE), view });
    const { frames } = await request(`/api/replays/${this.replay}/frames?${query}`);
    if (this.scenes.size > MAX_KEPT) this.scenes.clear();
    let scene = null;
    for (const frame of frames) {
      scene = frame.scene ?? sceneAfter(scene, frame.changes);
      this.scenes.set(`${view} ${frame.node}`, scene);
    }
  }
}
