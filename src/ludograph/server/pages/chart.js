// @ts-check
/**
 * A chart of numbers over the moves of a game: values in, lines and ticks out. Nothing here touches the page.
 * @module
 */

/** @typedef {(number | null)[]} Values one for each move; null where nothing is known */
/** @typedef {{low: number, high: number, ticks: number[]}} Scale */

/**
 * A scale with round ticks that contains all values.
 * @param {Values[]} series
 * @returns {Scale}
 */
export function scaleOf(series) {
  const known = series.flat().filter((each) => each !== null);
  let low = known.length > 0 ? Math.min(...known) : 0;
  let high = known.length > 0 ? Math.max(...known) : 1;
  if (low > 0) low = 0;
  if (high === low) high = low + 1;
  const step = roundStep((high - low) / 4);
  low = Math.floor(low / step) * step;
  high = Math.ceil(high / step) * step;
  const ticks = [];
  for (let at = low; at <= high + step / 2; at += step) ticks.push(Number(at.toFixed(6)) + 0); // no −0
  return { low, high, ticks };
}

/**
 * The round number (1, 2 or 5 and zeros) that is not less than a length.
 * @param {number} length
 */
export function roundStep(length) {
  const power = 10 ** Math.floor(Math.log10(length));
  const found = [1, 2, 5, 10].find((each) => each * power >= length * 0.999999) ?? 10;
  return found * power;
}

/**
 * The path of a line, as steps: a number stays until the next one. Unknown values are left out.
 * @param {Values} values
 * @param {Scale} scale
 * @param {{left: number, top: number, width: number, height: number}} area
 */
export function pathOf(values, scale, area) {
  const parts = [];
  let isOpen = false;
  let before = 0;
  for (const [index, value] of values.entries()) {
    if (value === null) {
      isOpen = false;
      continue;
    }
    const x = round(area.left + (values.length > 1 ? (index / (values.length - 1)) * area.width : 0));
    const y = round(heightOf(value, scale, area));
    parts.push(isOpen ? (y === before ? `H${x}` : `H${x}V${y}`) : `M${x} ${y}`);
    isOpen = true;
    before = y;
  }
  return parts.join("");
}

/**
 * @param {number} value
 * @param {Scale} scale
 * @param {{top: number, height: number}} area
 */
export function heightOf(value, scale, area) {
  return area.top + area.height * (1 - (value - scale.low) / (scale.high - scale.low));
}

/**
 * The index of the move at a place of the chart.
 * @param {number} x
 * @param {{left: number, width: number}} area
 * @param {number} count the number of moves
 */
export function indexAt(x, area, count) {
  const share = Math.min(Math.max((x - area.left) / area.width, 0), 1);
  return Math.round(share * Math.max(count - 1, 0));
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 10) / 10;
}
