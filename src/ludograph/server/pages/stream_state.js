// @ts-check
/**
 * What a seat knows of its table: the events of a stream in, its scene, question and log out.
 * @module
 */

/**
 * @typedef {object} LogEntry
 * @property {"move" | "undo"} kind
 * @property {number} seat
 * @property {string} text
 * @property {number} [kept]
 */

/**
 * @typedef {object} StreamState
 * @property {any} [scene]
 * @property {any} question
 * @property {LogEntry[]} log
 * @property {number[]} waiting
 * @property {any} undo
 * @property {any[]} chat
 */

/** @returns {StreamState} */
export function emptyStream() {
  return { question: null, log: [], waiting: [], undo: null, chat: [] };
}

/**
 * The state of a stream after an event.
 * @param {StreamState} before
 * @param {import("./connection.js").StreamEvent} event
 * @returns {StreamState}
 */
export function afterEvent(before, event) {
  const stream = { ...(event.epoch === undefined ? before : emptyStream()) };
  if (event.scene !== undefined) stream.scene = event.scene;
  if (event.changes !== undefined && stream.scene) stream.scene = applyToScene(stream.scene, event.changes);
  if (event.question !== undefined) stream.question = event.question;
  if (event.log !== undefined) stream.log = [...stream.log.slice(0, event.log.kept), ...event.log.entries];
  if (event.waiting !== undefined) stream.waiting = event.waiting;
  if (event.undo !== undefined) stream.undo = event.undo;
  if (event.chat !== undefined) stream.chat = [...stream.chat, ...event.chat];
  return stream;
}

/**
 * For each entry of a log: how many moves count after it, and whether it still counts.
 * @param {LogEntry[]} log
 * @returns {{count: number, counts: boolean}[]}
 */
export function countMoves(log) {
  /** @type {{count: number, counts: boolean}[]} */
  const found = [];
  /** @type {number[]} the entries that count */
  let counting = [];
  log.forEach((entry, index) => {
    if (entry.kind === "undo") {
      for (const each of counting.slice(entry.kept ?? 0)) {
        const undone = found[each];
        if (undone) undone.counts = false;
      }
      counting = counting.slice(0, entry.kept ?? 0);
    } else {
      counting.push(index);
    }
    found.push({ count: counting.length, counts: true });
  });
  return found;
}

/**
 * The scene after changes.
 * @param {any} scene
 * @param {any} changes
 */
function applyToScene(scene, changes) {
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
    for (const [id, above] of changes.inserted) {
      order.splice(above ? order.indexOf(above) : order.length, 0, id);
    }
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
