// @ts-check
/**
 * The live picture of a scene: items in, SVG elements out. The server draws; this module only places the
 * drawn items, moves them when they change, and puts targets over everything that can be chosen.
 * @module
 */

import { prefersReducedMotion } from "./dom.js";
import { coveredWidths } from "./scene_changes.js";

/**
 * @typedef {object} DrawnItem
 * @property {string} id
 * @property {string} kind
 * @property {number} x
 * @property {number} y
 * @property {string} drawing the key of its drawing
 * @property {string} [title]
 * @property {number} [width]
 * @property {number} [height]
 * @property {boolean} [is_decoration]
 * @property {number} [layer] items of a higher layer are above all items of lower ones
 */

/**
 * @typedef {object} SceneMessage
 * @property {number} version
 * @property {string} game
 * @property {string} style
 * @property {string} style_class
 * @property {Record<string, string>} drawings
 * @property {DrawnItem[]} static
 * @property {DrawnItem[]} items
 * @property {DrawnItem[]} effects
 * @property {number} width
 * @property {number} height
 * @property {string} description
 * @property {import("./choices.js").SceneChoices} choices
 */

/**
 * @typedef {object} SceneChanges
 * @property {Record<string, string>} [drawings]
 * @property {DrawnItem[]} [static]
 * @property {DrawnItem[]} [items]
 * @property {[string, number, number][]} [moved]
 * @property {string[]} [gone]
 * @property {[string, string][]} [inserted]
 * @property {string[]} [order]
 * @property {DrawnItem[]} [effects]
 * @property {[number, number]} [size]
 * @property {string} [description]
 * @property {import("./choices.js").SceneChoices} [choices]
 */

const SVG = "http://www.w3.org/2000/svg";
const MOVE_MILLISECONDS = 200;
const LEAST_TARGET = 24;
const TOUCH_TARGET = 40;
const BORDER_MARGIN = 16;
/** Boxes that are higher than this part of their width are tall. */
const TALL_PANEL = 0.45;
/** The kinds of items that begin at (x, y); it is the middle of all others. */
const AT_CORNER = new Set(["box", "counter"]);

export class SceneView {
  /**
   * @param {HTMLElement} boardHost
   * @param {HTMLElement} panelHost
   * @param {(item: string) => void} onPick
   * @param {(item: string) => void} [onAsk] a click on something that cannot be chosen now
   */
  constructor(boardHost, panelHost, onPick, onAsk) {
    this.onPick = onPick;
    this.onAsk = onAsk ?? (() => {});
    /** @type {(id: string) => boolean} Whether an item is the name of the viewer. */
    this.isOwnName = () => false;
    this.board = new Layers("board");
    this.panel = new Layers("players and bank");
    this.boardHost = boardHost;
    this.panelHost = panelHost;
    boardHost.replaceChildren(this.board.svg);
    panelHost.replaceChildren(this.panel.svg);
    /** The height at which the board ends and the boxes of the players begin. */
    this.border = 0;
    /** @type {Map<string, DrawnItem>} */
    this.items = new Map();
    /** @type {Map<string, Element>} */
    this.elements = new Map();
    /** @type {Map<string, DrawnItem>} */
    this.stillItems = new Map();
    /** @type {Map<string, Element>} The parsed drawings; each item has a copy. */
    this.drawings = new Map();
    /** @type {CSSStyleSheet | null} */
    this.sheet = null;
    for (const { svg } of [this.board, this.panel]) {
      svg.addEventListener("click", (event) => this.#onClick(event));
      svg.addEventListener("keydown", (event) => this.#onKey(event));
    }
  }

  /**
   * Show a whole scene.
   * @param {SceneMessage} scene
   */
  show(scene) {
    this.drawings.clear();
    this.#learn(scene.drawings);
    this.#setStyle(scene);
    this.#setStatic(scene.static);
    this.items.clear();
    this.elements.clear();
    for (const layers of [this.board, this.panel]) layers.clear("moving");
    this.#keepBoxesWhole(scene.items);
    for (const item of scene.items) this.#layerOf(item).moving.appendChild(this.#set(item));
    this.#setSize(scene.width, scene.height);
    this.#setDescription(scene.description);
    this.#setEffects(scene.effects);
  }

  /**
   * Show what has changed.
   * @param {SceneChanges} changes
   */
  apply(changes) {
    this.#learn(changes.drawings ?? {});
    if (changes.static) {
      this.#setStatic(changes.static);
      this.#keepBoxesWhole([...this.items.values()]);
    }
    for (const id of changes.gone ?? []) {
      this.elements.get(id)?.remove();
      this.elements.delete(id);
      this.items.delete(id);
    }
    for (const item of changes.items ?? []) this.#replace(item);
    for (const [id, x, y] of changes.moved ?? []) {
      const item = this.items.get(id);
      if (item) this.#replace({ ...item, x, y });
    }
    for (const [id, above] of changes.inserted ?? []) {
      const element = this.elements.get(id);
      const item = this.items.get(id);
      if (!element || !item) continue;
      const parent = this.#layerOf(item).moving;
      const next = this.elements.get(above);
      parent.insertBefore(element, next?.parentNode === parent ? next : null);
    }
    for (const id of changes.order ?? []) {
      const element = this.elements.get(id);
      if (element) element.parentNode?.appendChild(element);
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
    const active = document.activeElement;
    const focused = active instanceof SVGElement ? active.getAttribute("data-target") : null;
    if (active instanceof SVGElement && focused !== null) this.#lost = middle(active);
    else if (active !== document.body) this.#lost = null;
    for (const layers of [this.board, this.panel]) layers.targets.replaceChildren();
    const shown = new Set([...ids, ...selected]);
    const covered = coveredWidths(this.items.values());
    let isFirst = true;
    for (const id of shown) {
      const item = this.items.get(id) ?? this.stillItems.get(id);
      if (!item) continue;
      const layers = this.#layersOf(item);
      const target = makeSvg("g", {
        "data-target": id,
        role: "button",
        tabindex: isFirst ? "0" : "-1",
        "aria-label": item.title || id,
        "aria-pressed": String(selected.has(id)),
      });
      target.append(...targetShapes(item, selected.has(id), layers.svg, covered.get(id) ?? 0));
      layers.targets.appendChild(target);
      isFirst = false;
      if (focused === id) this.#focus(target);
    }
    this.#keepFocus();
  }

  /** Where the focus was when its target went; people with a keyboard go on from there. */
  /** @type {{x: number, y: number} | null} */
  #lost = null;

  #keepFocus() {
    const lost = this.#lost;
    if (lost === null || document.activeElement !== document.body) return;
    const distance = (/** @type {Element} */ each) => Math.hypot(middle(each).x - lost.x, middle(each).y - lost.y);
    const nearest = this.#allTargets().sort((one, two) => distance(one) - distance(two))[0];
    if (nearest) this.#focus(nearest);
  }

  /** The items that have a name and that one can point at. */
  namedItems() {
    const all = [...this.stillItems.values(), ...this.items.values()];
    return all.filter((item) => item.title && !item.is_decoration).map((item) => item.id);
  }

  /**
   * Where something belongs that is shown beside an item of the board, in pixels of a host; null: nowhere.
   * @param {string} id
   * @param {Element} host
   */
  placeOf(id, host) {
    const item = this.items.get(id) ?? this.stillItems.get(id);
    const layers = item && this.#layersOf(item);
    if (!item || layers !== this.board) return null;
    const half = (item.height ?? item.width ?? 0) / 2;
    const [at, box] = [this.board.svg.getScreenCTM(), host.getBoundingClientRect()];
    if (!at) return null;
    return { x: at.a * item.x + at.e - box.x, y: at.d * (item.y + half) + at.f - box.y + 6 };
  }

  /** @param {DrawnItem} item */
  #layerOf(item) {
    return this.#layersOf(item).layer(item.layer ?? 0);
  }

  /** @param {DrawnItem} item */
  #layersOf(item) {
    return item.y < this.border ? this.board : this.panel;
  }

  /**
   * What an item is called: the thing or place that it stands for.
   * @param {string} id
   */
  titleOf(id) {
    return (this.items.get(id) ?? this.stillItems.get(id))?.title ?? "";
  }

  /** @param {Record<string, string>} drawings */
  #learn(drawings) {
    for (const [key, text] of Object.entries(drawings)) this.drawings.set(key, parseDrawing(text));
  }

  /** @param {SceneMessage} scene */
  #setStyle(scene) {
    for (const { svg } of [this.board, this.panel]) svg.setAttribute("class", scene.style_class);
    this.board.svg.setAttribute("aria-label", scene.game);
    // A style element would need an exception from the policy of the page; an adopted sheet does not.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(scene.style);
    followTheme(sheet);
    document.adoptedStyleSheets = [
      ...document.adoptedStyleSheets.filter((each) => each !== this.sheet),
      sheet,
    ];
    this.sheet = sheet;
  }

  /** @param {DrawnItem[]} items */
  #setStatic(items) {
    this.board.clear("still");
    for (const item of items) this.board.layer(item.layer ?? 0).still.appendChild(this.#draw(item));
    const bottoms = items.map((item) => item.y + (item.height ?? 0) / (AT_CORNER.has(item.kind) ? 1 : 2));
    this.border = bottoms.length > 0 ? Math.max(...bottoms) + BORDER_MARGIN : 0;
    this.stillItems = new Map(items.map((item) => [item.id, item]));
  }

  /**
   * The border lies above the boxes below the board.
   * @param {DrawnItem[]} items
   */
  #keepBoxesWhole(items) {
    const tops = items.filter((item) => item.kind === "box" && item.y > this.border - 4 * BORDER_MARGIN).map((item) => item.y);
    if (this.border > 0 && tops.length > 0) this.border = Math.min(this.border, Math.min(...tops) - 2);
  }

  /** @param {DrawnItem} item */
  #draw(item) {
    const element = makeSvg("g", { "data-item": item.id, transform: `translate(${item.x} ${item.y})` });
    if (item.is_decoration) element.setAttribute("pointer-events", "none");
    const drawing = this.drawings.get(item.drawing);
    if (item.title) {
      const title = makeSvg("title");
      title.textContent = item.title;
      element.appendChild(title);
    }
    if (drawing) element.appendChild(drawing.cloneNode(true));
    if (this.isOwnName(item.id)) element.querySelector("text")?.append(" (you)");
    return element;
  }

  /** @param {DrawnItem} item */
  #set(item) {
    const element = this.#draw(item);
    this.items.set(item.id, item);
    this.elements.set(item.id, element);
    return element;
  }

  /** @param {DrawnItem} item */
  #replace(item) {
    const before = this.items.get(item.id);
    const old = this.elements.get(item.id);
    const element = this.#set(item);
    const parent = this.#layerOf(item).moving;
    if (old?.parentNode === parent) old.replaceWith(element);
    else {
      old?.remove();
      parent.appendChild(element);
    }
    if (prefersReducedMotion()) return;
    if (!before) {
      element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: MOVE_MILLISECONDS });
    } else if (before.x !== item.x || before.y !== item.y) {
      const start = `translate(${before.x}px, ${before.y}px)`;
      element.animate([{ transform: start }, { transform: `translate(${item.x}px, ${item.y}px)` }], {
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
    const split = Math.min(this.border, height);
    this.board.svg.setAttribute("viewBox", `0 0 ${width} ${split || 1}`);
    this.panel.svg.setAttribute("viewBox", `0 ${split} ${width} ${Math.max(height - split, 1)}`);
    (this.boardHost.parentElement ?? this.boardHost).toggleAttribute("hidden", split === 0);
    this.panelHost.classList.toggle("alone", split === 0);
    this.boardHost.parentElement?.style.setProperty("--shape", `${width} / ${split || 1}`);
    this.panelHost.style.setProperty("--shape", `${width} / ${Math.max(height - split, 1)}`);
    this.#placePanel(split > 0 && height - split > width * TALL_PANEL);
  }

  /**
   * Tall boxes stand beside the board, below the prompt; others below the board.
   * @param {boolean} isTall
   */
  #placePanel(isTall) {
    const { panelHost } = this;
    const home = isTall ? document.querySelector("[data-tall-boxes]") : document.querySelector("[data-boxes]");
    if (home && panelHost.parentElement !== home) home.appendChild(panelHost);
  }

  /** @param {string} description */
  #setDescription(description) {
    let element = this.board.svg.querySelector("desc");
    if (!element) {
      element = /** @type {SVGDescElement} */ (makeSvg("desc"));
      this.board.svg.prepend(element);
    }
    element.textContent = description;
  }

  /** @param {DrawnItem[]} effects */
  #setEffects(effects) {
    for (const layers of [this.board, this.panel]) layers.clear("effects");
    for (const item of effects) this.#layerOf(item).effects.appendChild(this.#draw(item));
  }

  /** @param {MouseEvent} event */
  #onClick(event) {
    const target = event.target instanceof Element ? event.target.closest("[data-target]") : null;
    const id = target?.getAttribute("data-target");
    if (id) {
      this.onPick(id);
      return;
    }
    const item = event.target instanceof Element ? event.target.closest("[data-item]") : null;
    const asked = item?.getAttribute("data-item");
    if (asked) this.onAsk(asked);
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
    for (const each of this.#allTargets()) {
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

  #allTargets() {
    return [...this.board.targets.children, ...this.panel.targets.children];
  }

  /** @param {Element} target */
  #focus(target) {
    for (const each of this.#allTargets()) each.setAttribute("tabindex", each === target ? "0" : "-1");
    if (target instanceof SVGElement) target.focus();
  }
}

/**
 * @typedef {object} Layer
 * @property {SVGGElement} still the board
 * @property {SVGGElement} moving the items
 * @property {SVGGElement} effects what the last move did
 */

/** One picture with its layers, from the bottom to the top, and the targets above all of them. */
class Layers {
  /** @param {string} role */
  constructor(role) {
    /** @type {SVGSVGElement} */
    this.svg = makeSvg("svg", { role: "group", "aria-label": role });
    /** @type {SVGGElement} */
    this.targets = makeSvg("g");
    this.svg.appendChild(this.targets);
    /** @type {Map<number, Layer>} */
    this.layers = new Map();
  }

  /**
   * The layer with a number; it is made when it is first needed.
   * @param {number} number
   */
  layer(number) {
    let layer = this.layers.get(number);
    if (!layer) {
      layer = { still: makeSvg("g"), moving: makeSvg("g"), effects: makeSvg("g", { "pointer-events": "none" }) };
      this.layers.set(number, layer);
      const higher = [...this.layers.keys()].filter((each) => each > number).sort((one, two) => one - two)[0];
      const next = higher === undefined ? this.targets : (this.layers.get(higher)?.still ?? this.targets);
      for (const part of [layer.still, layer.moving, layer.effects]) this.svg.insertBefore(part, next);
    }
    return layer;
  }

  /** @param {keyof Layer} part */
  clear(part) {
    for (const layer of this.layers.values()) layer[part].replaceChildren();
  }
}

/**
 * A shape to see and a shape to hit, which is large enough for a finger.
 * @param {DrawnItem} item
 * @param {boolean} isSelected
 * @param {SVGSVGElement} svg
 * @param {number} covered how much of its right side the next card covers
 */
function targetShapes(item, isSelected, svg, covered) {
  const scale = svg.getScreenCTM()?.a || 1;
  const least = (matchMedia("(pointer: coarse)").matches ? TOUCH_TARGET : LEAST_TARGET) / scale;
  const shown = isSelected ? "target selected" : "target";
  const width = item.width ?? 0;
  const height = item.height ?? width;
  if (AT_CORNER.has(item.kind)) {
    const box = { x: item.x - 2, y: item.y - 2, width: width + 4, height: height + 4, rx: 8 };
    return [makeSvg("rect", { ...box, class: shown }), makeSvg("rect", { ...box, class: "hit" })];
  }
  if (item.kind === "card" || item.kind === "die") {
    // The ring of a card that the next one covers ends where the next one begins.
    const size = { w: width + (covered > 0 ? 2 - covered : 4), h: height + 4 };
    const box = { x: item.x - width / 2 - 2, y: item.y - size.h / 2, width: size.w, height: size.h, rx: 7 };
    return [makeSvg("rect", { ...box, class: shown }), makeSvg("rect", { ...box, class: "hit" })];
  }
  const radius = Math.max(width * 0.44, 7);
  const hit = makeSvg("circle", { cx: item.x, cy: item.y, r: Math.max(radius, least / 2), class: "hit" });
  return [makeSvg("circle", { cx: item.x, cy: item.y, r: radius, class: shown }), hit];
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
 * Let the dark colours of a scene follow the theme of the page instead of the system.
 * @param {CSSStyleSheet} sheet
 */
function followTheme(sheet) {
  [...sheet.cssRules].forEach((rule, index) => {
    if (!(rule instanceof CSSMediaRule) || !rule.conditionText.includes("prefers-color-scheme: dark")) return;
    const inner = [...rule.cssRules].map((each) => `:root[data-theme="dark"] ${each.cssText}`);
    sheet.deleteRule(index);
    for (const text of inner) sheet.insertRule(text, index);
  });
}

/**
 * The elements of a drawing. The server wrote the text; what players wrote is escaped in it.
 * @param {string} text
 * @returns {Element}
 */
function parseDrawing(text) {
  const parsed = parser.parseFromString(`<svg xmlns="${SVG}"><g>${text}</g></svg>`, "image/svg+xml");
  const element = parsed.documentElement.firstElementChild;
  if (!element || parsed.querySelector("parsererror")) throw new Error("a drawing is not SVG");
  return document.importNode(element, true);
}
