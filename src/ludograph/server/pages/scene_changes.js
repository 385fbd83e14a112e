// @ts-check
/**
 * Scenes as data: a scene after changes, and the changes between any two scenes of a game. Nothing here
 * touches the page.
 * @module
 */

/**
 * The scene after changes that the server sent.
 * @param {any} scene
 * @param {any} changes
 */
export function sceneAfter(scene, changes) {
  const items = new Map(scene.items.map((/** @type {any} */ item) => [item.id, item]));
  for (const id of changes.gone ?? []) items.delete(id);
  for (const item of changes.items ?? []) items.set(item.id, item);
  for (const [id, x, y] of changes.moved ?? []) {
    const item = items.get(id);
    if (item) items.set(id, { ...item, x, y });
  }
  let order = [...items.keys()];
  if (changes.order) order = changes.order;
  else if (changes.inserted?.length) {
    const added = new Set(changes.inserted.map((/** @type {string[]} */ each) => each[0]));
    order = order.filter((id) => !added.has(id));
    for (const [id, above] of changes.inserted) order.splice(above ? order.indexOf(above) : order.length, 0, id);
  }
  return {
    ...scene,
    drawings: { ...scene.drawings, ...changes.drawings },
    static: changes.static ?? scene.static,
    items: order.map((id) => items.get(id)).filter(Boolean),
    effects: changes.effects ?? scene.effects,
    width: changes.size?.[0] ?? scene.width,
    height: changes.size?.[1] ?? scene.height,
    description: changes.description ?? scene.description,
    choices: changes.choices ?? scene.choices,
  };
}

/**
 * The changes from one scene to another; null if the other has to be shown anew.
 * @param {any} before
 * @param {any} after
 * @returns {import("./scene_view.js").SceneChanges | null}
 */
export function changesBetween(before, after) {
  if (before.game !== after.game || before.style !== after.style || before.style_class !== after.style_class) return null;
  const old = new Map(before.items.map((/** @type {any} */ item) => [item.id, item]));
  const kept = new Set(after.items.map((/** @type {any} */ item) => item.id));
  return {
    drawings: Object.fromEntries(Object.entries(after.drawings).filter(([key]) => !(key in before.drawings))),
    ...(before.static === after.static || isSame(before.static, after.static) ? {} : { static: after.static }),
    items: after.items.filter((/** @type {any} */ item) => !isSame(old.get(item.id), item)),
    gone: [...old.keys()].filter((id) => !kept.has(id)),
    order: after.items.map((/** @type {any} */ item) => item.id),
    effects: after.effects,
    size: [after.width, after.height],
    description: after.description,
  };
}

/**
 * @param {unknown} one
 * @param {unknown} other
 */
function isSame(one, other) {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/**
 * How much of each card of a row the next card covers, at its right side.
 * @param {Iterable<{id: string, kind: string, x: number, y: number, width?: number}>} items
 * @returns {Map<string, number>} by the ids of the cards that are covered in part
 */
export function coveredWidths(items) {
  /** @type {Map<number, {id: string, kind: string, x: number, y: number, width?: number}[]>} */
  const rows = new Map();
  for (const item of items) {
    if (item.kind === "card") rows.set(item.y, [...(rows.get(item.y) ?? []), item]);
  }
  /** @type {Map<string, number>} */
  const covered = new Map();
  for (const row of rows.values()) {
    row.sort((one, other) => one.x - other.x);
    row.forEach((card, index) => {
      const next = row[index + 1];
      const width = next ? card.x + (card.width ?? 0) / 2 - (next.x - (next.width ?? 0) / 2) : 0;
      if (next && width > 0 && next.x > card.x) covered.set(card.id, width);
    });
  }
  return covered;
}
