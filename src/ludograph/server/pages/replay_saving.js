// @ts-check
/**
 * Copy or save: the game, the position or the picture of a moment as text.
 * @module
 */

import { request } from "./api.js";
import { create, fill, get } from "./dom.js";

/** The formats of a position; all others are those of the whole line. */
const OF_MOMENT = new Set(["hsn", "svg", "position"]);
const MAX_LOSSES = 30;

export class Saving {
  /**
   * @param {() => {replay: string, node: number, end: number, view: string}} place
   * @param {(error: unknown) => void} fail
   */
  constructor(place, fail) {
    this.place = place;
    this.fail = fail;
    get("copy-text").addEventListener("click", () => void this.#copy());
    get("save-text").addEventListener("click", () => void this.#save());
    get("format").addEventListener("change", () => this.clear());
  }

  /** @param {{name: string, title: string}[]} formats */
  offer(formats) {
    fill(get("format"), ...formats.map(({ name, title }) => create("option", { value: name }, title)));
    this.clear();
  }

  /** Forget the last text: the reader has gone on. */
  clear() {
    get("saved-text").hidden = true;
    get("saved-words").textContent = "";
    get("losses").hidden = true;
  }

  async #load() {
    const format = /** @type {HTMLSelectElement} */ (get("format")).value;
    const { replay, node, end, view } = this.place();
    const query = new URLSearchParams({ node: String(OF_MOMENT.has(format) ? node : end), format, view });
    try {
      const found = await request(`/api/replays/${replay}/text?${query}`);
      this.#showLosses(found.losses);
      return found;
    } catch (error) {
      this.fail(error);
      return null;
    }
  }

  /** @param {string[]} losses */
  #showLosses(losses) {
    const details = get("losses");
    details.hidden = losses.length === 0;
    const [summary, list] = details.children;
    if (!summary || !list) return;
    summary.textContent = `${losses.length} ${losses.length === 1 ? "thing" : "things"} that this notation cannot say`;
    fill(list, ...losses.slice(0, MAX_LOSSES).map((each) => create("li", {}, each)));
  }

  async #copy() {
    const found = await this.#load();
    if (!found) return;
    get("saved-words").textContent = (await copyText(found.text)) ? "Copied." : "Copy the text below.";
    const area = /** @type {HTMLTextAreaElement} */ (get("saved-text"));
    area.value = found.text;
    area.hidden = false;
  }

  async #save() {
    const found = await this.#load();
    if (!found) return;
    const type = found.file_name.endsWith(".svg") ? "image/svg+xml" : "text/plain";
    const address = URL.createObjectURL(new Blob([found.text], { type }));
    create("a", { href: address, download: found.file_name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
    get("saved-words").textContent = `Saved as ${found.file_name}.`;
  }
}

/**
 * Copy a text; false if the browser does not allow it.
 * @param {string} text
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
