// Entering moves in any order, tested without a browser: `node --test tests/pages`.
import assert from "node:assert/strict";
import { test } from "node:test";

import { coveredWidths } from "../../src/ludograph/server/pages/scene_changes.js";
import { shortText } from "../../src/ludograph/server/pages/stream_state.js";
import { ChoiceFilter, stepLabel, readableName } from "../../src/ludograph/server/pages/choices.js";

/** @param {string} text @param {string[]} items */
function candidate(text, items = [], more = {}) {
  return { text, name: "play", kind: "action", targets: items, ...more };
}

/** @param {object[]} steps @param {number[][]} moves */
function filterOf(steps, moves) {
  return new ChoiceFilter({ steps, moves: moves.map((each) => ({ text: each.join("-"), steps: each })) });
}

/** Two pawns with two squares each, and a pawn that takes the same square as the first. */
function pawns() {
  const candidates = [
    candidate("a2.play", ["a2"]),
    candidate("b2.play", ["b2"]),
    candidate("a3", ["a3"], { kind: "input", name: "to" }),
    candidate("a4", ["a4"], { kind: "input", name: "to" }),
    candidate("b3", ["b3"], { kind: "input", name: "to" }),
  ];
  return filterOf(candidates, [
    [0, 2],
    [0, 3],
    [1, 4],
    [1, 2],
  ]);
}

test("a target that one move has completes it at once", () => {
  const filter = pawns();
  assert.ok(filter.pickItem("a4"));
  assert.equal(filter.complete?.text, "0-3");
});

test("a target of several pieces leaves these pieces", () => {
  const filter = pawns();
  filter.pickItem("a3");
  assert.equal(filter.complete, null);
  assert.deepEqual([...filter.targets], ["a2", "b2"]);
  filter.pickItem("b2");
  assert.equal(filter.complete?.text, "1-2");
});

test("a piece leaves its targets, and back restores all", () => {
  const filter = pawns();
  filter.pickItem("a2");
  assert.deepEqual([...filter.targets], ["a3", "a4"]);
  assert.deepEqual(filter.next, [2, 3]);
  assert.ok(filter.back());
  assert.equal(filter.remaining.length, 4);
  assert.equal(filter.back(), false);
});

test("what is not on the board is refused", () => {
  assert.equal(pawns().pickItem("h8"), false);
});

test("a click on a piece that can move and be taken begins a move with it", () => {
  const candidates = [
    candidate("a1.take", ["a1"]),
    candidate("b1.take", ["b1"]),
    candidate("a1", ["a1"], { kind: "input", name: "of" }),
    candidate("b1", ["b1"], { kind: "input", name: "of" }),
    candidate("c1", ["c1"], { kind: "input", name: "of" }),
  ];
  const filter = filterOf(candidates, [
    [0, 3],
    [0, 4],
    [1, 2],
    [1, 4],
  ]);
  filter.pickItem("a1");
  assert.deepEqual(filter.settled, [0]);
});

test("a move that is the beginning of another can be finished", () => {
  const filter = filterOf([candidate("swap", ["x"]), candidate("y", ["y"])], [[0], [0, 1]]);
  filter.pick(0);
  assert.equal(filter.complete, null);
  assert.equal(filter.shortest?.text, "0");
  assert.deepEqual([...filter.targets], ["y"]);
});

test("quantities count up to their total, and the player says when they are done", () => {
  const steps = [
    candidate("discard"),
    candidate("brick", [], { kind: "add", name: "cards" }),
    candidate("ore", [], { kind: "add", name: "cards" }),
  ];
  const filter = filterOf(steps, [
    [0, 1, 1],
    [0, 1, 2],
  ]);
  assert.deepEqual(filter.quantities, [
    { step: 1, count: 0, canGrow: true },
    { step: 2, count: 0, canGrow: true },
  ]);
  filter.pick(1);
  filter.pick(1);
  assert.equal(filter.complete?.text, "0-1-1");
  assert.ok(filter.needsDone);
  assert.deepEqual(
    filter.quantities.map((each) => each.canGrow),
    [false, false],
  );
  filter.unpick(1);
  filter.pick(2);
  assert.equal(filter.complete?.text, "0-1-2");
});

test("a sole move is not taken before the player agrees", () => {
  const filter = filterOf([candidate("roll")], [[0]]);
  assert.ok(filter.isSole);
  assert.deepEqual(filter.next, [0]);
  filter.pick(0);
  assert.equal(filter.complete?.text, "0");
});

test("labels are words", () => {
  assert.equal(readableName("buy_card"), "Buy card");
  assert.equal(readableName("grid[0][1].mark"), "grid[0][1].mark");
  assert.equal(stepLabel(candidate("", [], { kind: "stop" })), "Done");
  assert.equal(stepLabel(candidate("end", [], { label: "End turn" })), "End turn");
});

test("numbers of a loop are one table", () => {
  const number = (/** @type {string} */ entry, /** @type {number} */ count) =>
    candidate(String(count), [], { kind: "input", name: "n", entry });
  const steps = [candidate("discard"), number("brick", 0), number("brick", 1), number("brick", 2), number("ore", 0), number("ore", 1), number("ore", 2)];
  const filter = filterOf(steps, [
    [0, 1, 6],
    [0, 2, 5],
    [0, 3, 4],
  ]);
  assert.deepEqual(filter.table?.entries, ["brick", "ore"]);
  assert.deepEqual(filter.sums, { least: 2, most: 2 });
  assert.equal(filter.counted, null);
  filter.counts.set("brick", 1);
  assert.ok(filter.canCount("brick"));
  filter.counts.set("ore", 1);
  assert.equal(filter.canCount("brick"), false);
  assert.equal(filter.counted?.text, "0-2-5");
  assert.ok(filter.back());
  assert.equal(filter.counts.size, 0);
});

test("moves that differ in more than numbers are no table", () => {
  const steps = [candidate("a"), candidate("b"), candidate("1", [], { kind: "input", entry: "x" }), candidate("2", [], { kind: "input", entry: "y" })];
  assert.equal(filterOf(steps, [[0, 2, 3], [1, 2, 3]]).table, null);
});

test("an element of a list can be left out again", () => {
  const steps = [candidate("x", ["x"], { kind: "pick", name: "l" }), candidate("y", ["y"], { kind: "pick", name: "l" })];
  const filter = filterOf(steps, [[0], [1], [0, 1]]);
  filter.pickItem("x");
  assert.ok(filter.unpickItem("x"));
  assert.deepEqual(filter.picked, []);
  assert.deepEqual(filter.elements.map((each) => each.canGrow), [true, true]);
});

test("a card of a row ends where the next one covers it", () => {
  const card = (/** @type {string} */ id, /** @type {number} */ x, y = 0) => ({ id, kind: "card", x, y, width: 40 });
  const box = { id: "box", kind: "box", x: 5, y: 0, width: 400 };
  const covered = coveredWidths([card("b", 30), card("a", 10), box, card("c", 100), card("below", 20, 90)]);
  assert.deepEqual([...covered], [["a", 20]]);
});

test("a long run of chance is shortened, and nothing else", () => {
  const entry = (/** @type {number} */ seat, /** @type {string} */ text, notation = "") => ({ kind: "move", seat, text, notation });
  const shuffle = `random(${Array.from({ length: 52 }, (_, each) => each).join(", ")})`;
  assert.equal(shortText(entry(-1, shuffle)), "random(0, 1, 2, … 49 more)");
  assert.equal(shortText(entry(-1, "random(3, 4)")), "random(3, 4)");
  assert.equal(shortText(entry(0, shuffle)), shuffle);
  assert.equal(shortText(entry(-1, shuffle, "the island")), "the island");
});
