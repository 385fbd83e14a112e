// @ts-check
/**
 * The chart of a replay: numbers of the players, or the bot's evaluation, over the moves of a line.
 * @module
 */

import { heightOf, indexAt, pathOf, scaleOf } from "./chart.js";
import { create, fill } from "./dom.js";
import { markOf } from "./log_view.js";

const SVG = "http://www.w3.org/2000/svg";
const LEAST_WIDTH = 320;
const MOST_WIDTH = 1400;
const HEIGHT = 190;
/** The lines of players differ by their dashes, too. */
const DASHES = ["", "7 3", "2 3", "10 3 2 3", "5 5", "12 4"];
const USUAL_COLOURS = ["#0072B2", "#D55E00", "#009E73", "#E69F00", "#56B4E9", "#CC79A7"];

export class ChartView {
  /**
   * @param {HTMLElement} host
   * @param {HTMLElement} legend
   * @param {(index: number) => void} onPick
   */
  constructor(host, legend, onPick) {
    this.host = host;
    this.legend = legend;
    this.svg = /** @type {SVGSVGElement} */ (make("svg", { role: "img" }));
    this.cursor = make("line", { class: "cursor" });
    this.dots = make("g");
    host.replaceChildren(this.svg);
    /** @type {import("./chart.js").Values[]} */
    this.series = [];
    this.scale = scaleOf([]);
    this.width = MOST_WIDTH;
    this.area = areaOf(this.width);
    this.name = "";
    /** @type {string[]} */
    this.names = [];
    /** @type {string[]} */
    this.colours = [];
    this.index = 0;
    new ResizeObserver(() => {
      if (this.series.length > 0 && this.#fit() !== this.width) this.show(this.name, this.series, this.names, this.colours);
    }).observe(host);
    this.svg.addEventListener("pointerdown", (event) => this.#drag(event, onPick));
    this.svg.addEventListener("pointermove", (event) => {
      if (event.buttons === 1) this.#drag(event, onPick);
    });
  }

  /**
   * @param {string} name
   * @param {import("./chart.js").Values[]} series one for each player
   * @param {string[]} names
   * @param {string[]} colours
   */
  show(name, series, names, colours) {
    this.name = name;
    this.series = series;
    this.names = names;
    this.colours = colours;
    this.scale = scaleOf(series);
    this.width = this.#fit();
    this.area = areaOf(this.width);
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${HEIGHT}`);
    this.cursor.setAttribute("y1", String(this.area.top));
    this.cursor.setAttribute("y2", String(this.area.top + this.area.height));
    const colourOf = (/** @type {number} */ player) => colours[player] ?? USUAL_COLOURS[player] ?? "currentColor";
    const grid = this.scale.ticks.flatMap((tick) => {
      const y = heightOf(tick, this.scale, this.area);
      const label = make("text", { x: this.area.left - 6, y: y + 4, "text-anchor": "end" });
      label.textContent = String(tick);
      return [make("line", { class: tick === 0 ? "zero" : "grid", x1: this.area.left, x2: this.area.left + this.area.width, y1: y, y2: y }), label];
    });
    const lines = series.flatMap((values, player) => {
      const shape = { d: pathOf(values, this.scale, this.area), "stroke-dasharray": DASHES[player % DASHES.length] ?? "" };
      const line = make("path", { ...shape, class: "series" });
      line.style.stroke = colourOf(player);
      return [make("path", { ...shape, class: "casing" }), line]; // a white line is seen on white, too
    });
    this.dots.replaceChildren(
      ...series.map((_, player) => {
        const mark = make("text", { class: "dot", "text-anchor": "middle" });
        mark.textContent = markOf(player);
        mark.style.fill = colourOf(player);
        return mark;
      }),
    );
    this.svg.replaceChildren(...grid, ...lines, this.cursor, this.dots);
    fill(
      this.legend,
      ...names.map((each, player) => {
        const mark = create("span", { class: "who", "aria-hidden": "true" }, markOf(player));
        mark.style.color = colourOf(player);
        return create("li", {}, mark, create("span", {}, each), create("output", { "data-player": player }));
      }),
    );
    this.move(this.index);
  }

  /** The width in which texts have their usual size. */
  #fit() {
    return Math.min(Math.max(this.host.clientWidth, LEAST_WIDTH), MOST_WIDTH);
  }

  /** @param {number} index the present move */
  move(index) {
    this.index = index;
    const count = this.series[0]?.length ?? 0;
    const x = this.area.left + (count > 1 ? (index / (count - 1)) * this.area.width : 0);
    for (const name of ["x1", "x2"]) this.cursor.setAttribute(name, String(x));
    const said = this.series.map((values, player) => {
      const value = values[index] ?? null;
      const dot = this.dots.children[player];
      dot?.toggleAttribute("hidden", value === null);
      if (value !== null && dot) {
        dot.setAttribute("x", String(x));
        dot.setAttribute("y", String(heightOf(value, this.scale, this.area) + 5));
      }
      const shown = value === null ? "–" : String(Math.round(value * 100) / 100);
      const output = this.legend.querySelector(`[data-player="${player}"]`);
      if (output) output.textContent = shown;
      return `${this.names[player] ?? ""} ${shown}`;
    });
    this.svg.setAttribute("aria-label", `${this.name} after move ${index}: ${said.join(", ")}`);
  }

  /**
   * @param {PointerEvent} event
   * @param {(index: number) => void} onPick
   */
  #drag(event, onPick) {
    const box = this.svg.getBoundingClientRect();
    const x = ((event.clientX - box.x) / box.width) * this.width;
    onPick(indexAt(x, this.area, this.series[0]?.length ?? 0));
  }
}

/** Where the lines are. @param {number} width */
function areaOf(width) {
  return { left: 40, top: 12, width: width - 64, height: HEIGHT - 34 };
}

/**
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @returns {any}
 */
function make(tag, attributes = {}) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}
