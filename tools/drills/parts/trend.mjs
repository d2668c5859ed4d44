// Detects growth by linear regression over many samples, since single ones fluctuate with garbage collection.

/**
 * The slope of the regression line (least squares).
 *
 * @param {{ at: number, value: number }[]} points at least two, `at` not all the same
 * @returns {number} units of `value` per unit of `at`
 */
export function slopeOf(points) {
  const atMean = meanOf(points.map(({ at }) => at));
  const valueMean = meanOf(points.map(({ value }) => value));
  const upper = points.reduce((sum, { at, value }) => sum + (at - atMean) * (value - valueMean), 0);
  return upper / points.reduce((sum, { at }) => sum + (at - atMean) ** 2, 0);
}

/**
 * The trend over the last two thirds of the samples; the first third is warm-up.
 *
 * @param {{ at: number, value: number }[]} points in the order of `at`
 * @returns the mean, and the growth by the slope over that period
 */
export function trendOf(points) {
  const steady = points.slice(Math.floor(points.length / 3));
  const mean = meanOf(steady.map(({ value }) => value));
  return { mean, growth: slopeOf(steady) * (steady[steady.length - 1].at - steady[0].at) };
}

function meanOf(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
