// The modules of the replay that need no browser: the tree of moves, charts, and changes of scenes.

import assert from "node:assert/strict";
import test from "node:test";
import { heightOf, indexAt, pathOf, roundStep, scaleOf } from "../../src/ludograph/server/pages/chart.js";
import { ReplayTree, moveName, moveSentence } from "../../src/ludograph/server/pages/replay_tree.js";
import { changesBetween, sceneAfter } from "../../src/ludograph/server/pages/scene_changes.js";

const node = (number, parent, more = {}) => ({
  node: number,
  parent,
  seat: number % 2,
  text: `move ${number}`,
  words: "",
  notation: "",
  note: "",
  is_variation: false,
  numbers: [],
  ...more,
});

// 0 – 1 – 2 – 3, with the variations 4 – 5 in the place of 2, and 6 in the place of 5.
const tree = () => new ReplayTree([node(0, -1), node(1, 0), node(2, 1), node(3, 2), node(4, 1), node(5, 4), node(6, 4)]);

test("a line goes through a node to the end of what continues from it", () => {
  assert.deepEqual(tree().lineThrough(0), [0, 1, 2, 3]);
  assert.deepEqual(tree().lineThrough(4), [0, 1, 4, 5]);
  assert.deepEqual(tree().lineThrough(6), [0, 1, 4, 6]);
  assert.deepEqual(tree().pathTo(5), [0, 1, 4, 5]);
});

test("variations are listed below the move that they replace", () => {
  const rows = tree().rows().map((row) => [row.node, row.depth, row.starts]);
  assert.deepEqual(rows, [
    [0, 0, false],
    [1, 0, false],
    [2, 0, false],
    [4, 1, true],
    [5, 1, false],
    [6, 2, true],
    [3, 0, false],
  ]);
});

test("a node knows its variation and the other moves in its place", () => {
  assert.equal(tree().variationOf(3), null);
  assert.equal(tree().variationOf(5), 4);
  assert.deepEqual(tree().siblings(2), [2, 4]);
  assert.deepEqual(tree().siblings(0), [0]);
});

test("new nodes continue the tree, and a node that is there is not added twice", () => {
  const found = tree();
  found.add([node(7, 3), node(7, 3)]);
  assert.deepEqual(found.lineThrough(0), [0, 1, 2, 3, 7]);
});

test("a very long game is listed without recursion", () => {
  const long = new ReplayTree(Array.from({ length: 6000 }, (_, number) => node(number, number - 1)));
  assert.equal(long.rows().length, 6000);
  assert.equal(long.lineThrough(0).length, 6000);
});

test("moves are named in notation and told with the names of the players", () => {
  const nameOf = (seat) => ["Ada", "Grace"][seat];
  const move = node(1, 0, { notation: "S(W)1", words: "player 2 steals 1 wool from player 1" });
  assert.equal(moveName(move), "S(W)1");
  assert.equal(moveSentence(move, nameOf), "Grace steals 1 wool from Ada");
  assert.equal(moveSentence(node(2, 1), nameOf), "Ada: move 2");
  assert.equal(moveName(node(0, -1)), "Start");
});

test("a scale has round ticks and contains all values", () => {
  assert.deepEqual(scaleOf([[0, 3, null], [10]]).ticks, [0, 5, 10]);
  assert.deepEqual(scaleOf([[-0.5, 0.25]]).ticks, [-0.6, -0.4, -0.2, 0, 0.2, 0.4]);
  const empty = scaleOf([]);
  assert.ok(empty.low < empty.high);
  assert.equal(roundStep(0.3), 0.5);
  assert.equal(roundStep(20), 20);
});

test("a line of a chart keeps a value until the next one and leaves unknown ones out", () => {
  const area = { left: 0, top: 0, width: 30, height: 10 };
  const scale = { low: 0, high: 10, ticks: [0, 10] };
  assert.equal(pathOf([0, 0, 10, 10], scale, area), "M0 10H10H20V0H30");
  assert.equal(pathOf([null, 5, null, 0], scale, area), "M10 5M30 10");
  assert.equal(heightOf(10, scale, area), 0);
});

test("a place of a chart is a move", () => {
  const area = { left: 10, width: 100 };
  assert.equal(indexAt(10, area, 11), 0);
  assert.equal(indexAt(62, area, 11), 5);
  assert.equal(indexAt(500, area, 11), 10);
  assert.equal(indexAt(50, area, 0), 0);
});

const item = (id, x, drawing = "d") => ({ id, kind: "piece", x, y: 0, drawing });
const scene = (items, more = {}) => ({
  game: "Test",
  style: "s",
  style_class: "c",
  drawings: { d: "<g/>" },
  static: [item("board", 0)],
  items,
  effects: [],
  width: 10,
  height: 10,
  description: "",
  ...more,
});

test("the changes from the server give the next scene", () => {
  const before = scene([item("a", 1), item("b", 2)]);
  const after = sceneAfter(before, {
    drawings: { e: "<path/>" },
    moved: [["a", 5, 6]],
    gone: ["b"],
    items: [item("c", 3, "e")],
    inserted: [["c", "a"]],
    size: [20, 30],
  });
  assert.deepEqual(after.items.map((each) => [each.id, each.x, each.y]), [["c", 3, 0], ["a", 5, 6]]);
  assert.deepEqual([after.width, after.height, Object.keys(after.drawings)], [20, 30, ["d", "e"]]);
  assert.deepEqual(before.items.map((each) => each.x), [1, 2]);
});

test("the changes between two scenes lead from one to the other", () => {
  const one = scene([item("a", 1), item("b", 2), item("c", 3)]);
  const other = scene([item("c", 3), item("a", 9), item("n", 4, "e")], { drawings: { d: "<g/>", e: "<path/>" }, width: 12 });
  const changes = changesBetween(one, other);
  assert.deepEqual(changes.items.map((each) => each.id), ["a", "n"]);
  assert.deepEqual(changes.gone, ["b"]);
  assert.deepEqual(sceneAfter(one, changes).items, other.items);
  assert.deepEqual(Object.keys(changes.drawings), ["e"]);
  assert.equal(changesBetween(one, scene([], { style: "other" })), null);
});
