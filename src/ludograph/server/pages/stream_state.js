// @ts-check
/**
 * What a seat knows of its table: the events of a stream in, its scene, question and log out.
 * @module
 */

import { sceneAfter } from "./scene_changes.js";

/**
 * @typedef {object} LogEntry
 * @property {"move" | "undo"} kind
 * @property {number} seat
 * @property {string} text
 * @property {number} [kept]
 * @property {string} [notation] the move in the game's own notation, with what chance gave after it
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
  if (event.changes !== undefined && stream.scene) stream.scene = sceneAfter(stream.scene, event.changes);
  if (event.question !== undefined) stream.question = event.question;
  if (event.log !== undefined) stream.log = [...stream.log.slice(0, event.log.kept), ...event.log.entries];
  if (event.waiting !== undefined) stream.waiting = event.waiting;
  if (event.undo !== undefined) stream.undo = event.undo;
  if (event.chat !== undefined) stream.chat = [...stream.chat, ...event.chat];
  return stream;
}

/** More outcomes of one draw of chance are shown on demand only. */
const MAX_OUTCOMES = 6;
const SHOWN_OUTCOMES = 3;

/**
 * The text of an entry, with few outcomes of a long run of chance such as a shuffle.
 * @param {LogEntry} entry
 */
export function shortText(entry) {
  const text = entry.notation || entry.text;
  const run = entry.seat < 0 && !entry.notation ? /^(\w+\()(.*)\)$/s.exec(text) : null;
  const outcomes = (run?.[2] ?? "").split(", ");
  if (run === null || outcomes.length <= MAX_OUTCOMES) return text;
  return `${run[1]}${outcomes.slice(0, SHOWN_OUTCOMES).join(", ")}, … ${outcomes.length - SHOWN_OUTCOMES} more)`;
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
