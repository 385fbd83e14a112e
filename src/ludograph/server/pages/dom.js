// @ts-check
/**
 * Build elements of a page. Texts become text nodes, so nothing that a player wrote is read as HTML.
 * @module
 */

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Create an element. Properties that begin with `on` are listeners, `class` is the class, all others are
 * attributes; `true` is an attribute without a value, and `false`, null and undefined leave it out.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} [properties]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function create(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === "function") {
      element.addEventListener(name.slice(2), value);
    } else if (value === true) {
      element.setAttribute(name, "");
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, String(value));
    }
  }
  append(element, children);
  return element;
}

/**
 * @param {Node} parent
 * @param {(Child | Child[])[]} children
 */
function append(parent, children) {
  for (const child of children.flat()) {
    if (child instanceof Node) {
      parent.appendChild(child);
    } else if (child !== null && child !== undefined && child !== false) {
      parent.appendChild(document.createTextNode(String(child)));
    }
  }
}

/**
 * Replace the content of an element.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

/**
 * The element with an id; a page without it is our mistake.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function get(id) {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no element '${id}'`);
  return element;
}

/**
 * Say something to people who use a screen reader.
 * @param {string} text
 */
export function announce(text) {
  const region = document.getElementById("announcer");
  if (region !== null && text !== "") region.textContent = text;
}

/** Whether the reader asked for less movement. */
export function prefersReducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
