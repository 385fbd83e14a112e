// @ts-check
/**
 * The live picture of a scene: items in, SVG elements out. The server draws; this module only places the
 * drawn items, moves them when they change, and puts targets over everything that can be chosen.
 * @module
 */

import { prefersReducedMotion } from "./dom.js";

/**
 * @typedef {object} SceneItem
 * @property {string} id
 * @property {string} kind
 * @property {number} x
 * @property {number} y
 * @property {number} [width]
 * @property {number} [height]
 * @property {[number, number][]} [points]
 * @property {string} [title]
 * @property {string} [style]
 * @property {string} svg the drawn item: one `g` element as text
 */

/**
 * @typedef {object} StaticScene
 * @property {string} game
 * @property {string} stylesheet
 * @property {string} palette the class of the picture
 * @property {SceneItem[]} items
 */

/**
 * @typedef {object} ChangingScene
 * @property {number} width
 * @property {number} height
 * @property {string} description
 * @property {SceneItem[]} items
 * @property {SceneItem[]} [effects]
 */

/**
 * @typedef {object} SceneChanges
 * @property {StaticScene} [static]
 * @property {SceneItem[]} [set]
 * @property {string[]} [gone]
 * @property {string[]} [order]
 * @property {[number, number]} [size]
 * @property {string} [description]
 * @property {SceneItem[]} [effects]
 */

const SVG = "http://www.w3.org/2000/svg";
const MOVE_MILLISECONDS = 200;
const LEAST_TARGET = 24;
/** The kinds of items whose (x, y) is their left upper corner, not their centre. */
const AT_CORNER = new Set(["box", "counter", "label"]);

export class SceneView {
  /**
   * @param {Element} host
   * @param {(item: string) => void} onPick
   * @param {(item: string) => void} [onAsk] a click on something that cannot be chosen now
   */
  constructor(host, onPick, onAsk) {
    this.onPick = onPick;
    this.onAsk = onAsk ?? (() => {});
    /** @type {SVGSVGElement} */
    this.svg = makeSvg("svg", { role: "group", "aria-roledescription": "board" });
    this.still = makeSvg("g");
    this.moving = makeSvg("g");
    this.effects = makeSvg("g");
    this.targets = makeSvg("g");
    this.svg.append(this.still, this.moving, this.effects, this.targets);
    host.replaceChildren(this.svg);
    /** @type {Map<string, SceneItem>} */
    this.items = new Map();
    /** @type {Map<string, Element>} */
    this.elements = new Map();
    /** @type {Map<string, SceneItem>} */
    this.stillItems = new Map();
    /** @type {CSSStyleSheet | null} */
    this.sheet = null;
    this.svg.addEventListener("click", (/** @type {MouseEvent} */ event) => this.#onClick(event));
    this.svg.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.#onKey(event));
  }

  /**
   * Show a whole scene.
   * @param {{static: StaticScene, changing: ChangingScene}} scene
   */
  show(scene) {
    this.#setStatic(scene.static);
    this.items.clear();
    this.elements.clear();
    this.moving.replaceChildren();
    for (const item of scene.changing.items) this.#set(item, false);
    this.#setSize(scene.changing.width, scene.changing.height);
    this.#setDescription(scene.changing.description);
    this.#setEffects(scene.changing.effects ?? []);
  }

  /**
   * Show what has changed.
   * @param {SceneChanges} changes
   */
  apply(changes) {
    if (changes.static) this.#setStatic(changes.static);
    for (const id of changes.gone ?? []) {
      this.elements.get(id)?.remove();
      this.elements.delete(id);
      this.items.delete(id);
    }
    for (const item of changes.set ?? []) this.#set(item, true);
    if (changes.order) {
      for (const id of changes.order) {
        const element = this.elements.get(id);
        if (element) this.moving.appendChild(element);
      }
    }
    if (changes.size) this.#setSize(...changes.size);
    if (changes.description !== undefined) this.#setDescription(changes.description);
    if (changes.effects) this.#setEffects(changes.effects);
  }

  /**
   * Put targets over items.
   * @param {Iterable<string>} ids
   * @param {Set<string>} selected
   */
  setTargets(ids, selected = new Set()) {
    const focused = this.targets.contains(document.activeElement)
      ? document.activeElement?.getAttribute("data-target")
      : null;
    this.targets.replaceChildren();
    const shown = new Set([...ids, ...selected]);
    let isFirst = true;
    for (const id of shown) {
      const item = this.items.get(id) ?? this.stillItems.get(id);
      if (!item) continue;
      const target = makeSvg("g", {
        "data-target": id,
        role: "button",
        tabindex: isFirst ? "0" : "-1",
        "aria-label": item.title || id,
        "aria-pressed": String(selected.has(id)),
      });
      target.append(...this.#targetShapes(item, selected.has(id)));
      this.targets.appendChild(target);
      isFirst = false;
      if (focused === id) this.#focus(target);
    }
  }

  /** @param {StaticScene} still */
  #setStatic(still) {
    this.still.replaceChildren();
    this.stillItems.clear();
    for (const item of still.items) {
      this.stillItems.set(item.id, item);
      this.still.appendChild(parseItem(item));
    }
    this.svg.setAttribute("class", `lg ${still.palette}`);
    this.svg.setAttribute("aria-label", still.game);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(still.stylesheet);
    document.adoptedStyleSheets = [
      ...document.adoptedStyleSheets.filter((each) => each !== this.sheet),
      sheet,
    ];
    this.sheet = sheet;
  }

  /**
   * @param {SceneItem} item
   * @param {boolean} animate
   */
  #set(item, animate) {
    const before = this.items.get(item.id);
    const element = parseItem(item);
    const old = this.elements.get(item.id);
    if (old) old.replaceWith(element);
    else this.moving.appendChild(element);
    this.items.set(item.id, item);
    this.elements.set(item.id, element);
    if (!animate || prefersReducedMotion()) return;
    if (!before) {
      element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: MOVE_MILLISECONDS });
    } else if (before.x !== item.x || before.y !== item.y) {
      this.moving.appendChild(element); // above the others while it moves
      const start = `translate(${before.x - item.x}px, ${before.y - item.y}px)`;
      element.animate([{ transform: start }, { transform: "none" }], {
        duration: MOVE_MILLISECONDS,
        easing: "ease-out",
      });
    }
  }

  /**
   * @param {number} width
   * @param {number} height
   */
  #setSize(width, height) {
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  }

  /** @param {string} description */
  #setDescription(description) {
    let element = this.svg.querySelector("desc");
    if (!element) {
      element = /** @type {SVGDescElement} */ (makeSvg("desc"));
      this.svg.prepend(element);
    }
    element.textContent = description;
  }

  /** @param {SceneItem[]} effects */
  #setEffects(effects) {
    this.effects.replaceChildren(...effects.map(parseItem));
  }

  /**
   * A shape to see and a shape to hit, which is large enough for a finger.
   * @param {SceneItem} item
   * @param {boolean} isSelected
   */
  #targetShapes(item, isSelected) {
    const scale = this.svg.getBoundingClientRect().width / (this.svg.viewBox.baseVal.width || 1) || 1;
    const least = (matchMedia("(pointer: coarse)").matches ? 40 : LEAST_TARGET) / scale;
    const shown = isSelected ? "target selected" : "target";
    const width = item.width ?? 0;
    const height = item.height ?? width;
    if (AT_CORNER.has(item.kind)) {
      const box = { x: item.x - 2, y: item.y - 2, width: width + 4, height: height + 4, rx: 8 };
      return [makeSvg("rect", { ...box, class: shown }), makeSvg("rect", { ...box, class: "hit" })];
    }
    if (item.kind === "card" || item.kind === "die") {
      const size = { w: width + 4, h: height + 4 };
      const box = { x: item.x - size.w / 2, y: item.y - size.h / 2, width: size.w, height: size.h, rx: 7 };
      return [makeSvg("rect", { ...box, class: shown }), makeSvg("rect", { ...box, class: "hit" })];
    }
    const radius = Math.max(width * 0.44, 7);
    const hit = makeSvg("circle", { cx: item.x, cy: item.y, r: Math.max(radius, least / 2), class: "hit" });
    return [makeSvg("circle", { cx: item.x, cy: item.y, r: radius, class: shown }), hit];
  }

  /** @param {MouseEvent} event */
  #onClick(event) {
    const target = event.target instanceof Element ? event.target.closest("[data-target]") : null;
    const id = target?.getAttribute("data-target");
    if (id) {
      this.onPick(id);
      return;
    }
    const item = event.target instanceof Element ? event.target.closest("g[id]") : null;
    if (item) this.onAsk(item.id);
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const target = event.target instanceof Element ? event.target.closest("[data-target]") : null;
    if (!(target instanceof SVGElement)) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.onPick(target.getAttribute("data-target") ?? "");
      return;
    }
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = this.#nearest(target, step[0] ?? 0, step[1] ?? 0);
    if (next) this.#focus(next);
  }

  /**
   * The nearest target in a direction.
   * @param {Element} from
   * @param {number} dx
   * @param {number} dy
   * @returns {SVGElement | null}
   */
  #nearest(from, dx, dy) {
    const start = middle(from);
    let best = null;
    let least = Infinity;
    for (const each of this.targets.children) {
      if (each === from || !(each instanceof SVGElement)) continue;
      const at = middle(each);
      const along = (at.x - start.x) * dx + (at.y - start.y) * dy;
      const aside = Math.abs((at.x - start.x) * dy) + Math.abs((at.y - start.y) * dx);
      if (along < 1) continue;
      const distance = along + 2 * aside;
      if (distance < least) {
        least = distance;
        best = each;
      }
    }
    return best;
  }

  /** @param {Element} target */
  #focus(target) {
    for (const each of this.targets.children) each.setAttribute("tabindex", each === target ? "0" : "-1");
    if (target instanceof SVGElement) target.focus();
  }
}

/** @param {Element} element */
function middle(element) {
  const box = element.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/**
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @returns {any}
 */
function makeSvg(tag, attributes = {}) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

const parser = new DOMParser();

/**
 * The element of a drawn item. The server wrote the text; what players wrote is escaped in it.
 * @param {SceneItem} item
 * @returns {Element}
 */
function parseItem(item) {
  const parsed = parser.parseFromString(`<svg xmlns="${SVG}">${item.svg}</svg>`, "image/svg+xml");
  const element = parsed.documentElement.firstElementChild;
  if (!element || parsed.querySelector("parsererror")) throw new Error(`item ${item.id} is not drawn`);
  return document.importNode(element, true);
}
