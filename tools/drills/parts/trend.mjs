// Whether a figure keeps growing. A straight line through many samples tells: single ones go up and down as memory is
// used and collected.

/**
 * The slope of the line through points that lies closest to them (least squares).
 *
 * @param {{ at: number, value: number }[]} points at least two, `at` not all the same
 * @returns {number} units of `value` for each unit of `at`
 */
export function slopeOf(points) {
  const atMean = meanOf(points.map(({ at }) => at));
  const valueMean = meanOf(points.map(({ value }) => value));
  const upper = points.reduce((sum, { at, value }) => sum + (at - atMean) * (value - valueMean), 0);
  return upper / points.reduce((sum, { at }) => sum + (at - atMean) ** 2, 0);
}

/**
 * How a figure behaved over the last two thirds of its samples: the first third warms up.
 *
 * @param {{ at: number, value: number }[]} points in the order of `at`
 * @returns the mean, and what the slope adds from the first of them to the last
 */
export function trendOf(points) {
  const steady = points.slice(Math.floor(points.length / 3));
  const mean = meanOf(steady.map(({ value }) => value));
  return { mean, growth: slopeOf(steady) * (steady[steady.length - 1].at - steady[0].at) };
}

function meanOf(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
