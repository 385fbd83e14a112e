// @ts-check
/**
 * A sentence about each shipped game, and how long it takes people, in minutes. A game without words is shown
 * with its name only.
 * @module
 */

/** @type {Record<string, {words: string, minutes: string}>} */
export const GAME_WORDS = {
  backgammon: { words: "Race fifteen pieces around the board by dice, hit lone ones and bear off first.", minutes: "10–30" },
  breakthrough: { words: "Two ranks of pawns each; the first to reach the other side wins.", minutes: "10" },
  chess: { words: "The classic: check the king until it cannot escape.", minutes: "10–60" },
  "connect-four": { words: "Drop discs into columns; four in a row win.", minutes: "5" },
  "crazy-eights": { words: "Follow the suit or the rank, change it with an eight, empty your hand first.", minutes: "5–10" },
  draughts: { words: "English draughts: jump over the other side's men; you must jump if you can.", minutes: "10–30" },
  go: { words: "Surround territory and stones on nine by nine points.", minutes: "15–30" },
  hex: { words: "Connect your two sides of a board of hexagons. There is never a draw.", minutes: "10" },
  hexil: { words: "Settle an island: roll for goods, trade, build roads, villages and cities.", minutes: "45–90" },
  kalah: { words: "Sow seeds around the pits and collect the most in your store.", minutes: "5–10" },
  "liars-dice": { words: "Bid on hidden dice, or call the bluff. Who is wrong loses a die.", minutes: "10–20" },
  "nine-mens-morris": { words: "Form mills of three to take men away, until only two are left.", minutes: "10–20" },
  othello: { words: "Enclose discs to turn them over; the most discs win.", minutes: "10–20" },
  pig: { words: "Roll and add, but a one takes all of the turn. How far do you dare to go?", minutes: "5–10" },
  "tic-tac-toe": { words: "Three in a row. The shortest of all games.", minutes: "1" },
  "two-lagoons": { words: "Two lagoons open into one sea: fetch four of its seven crates to your quay.", minutes: "10–20" },
};
