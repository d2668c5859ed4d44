// Rounds of measurements: compared programs take turns, so that noise affects them alike.
import { median } from './process-figures.mjs';

/**
 * @param rounds measurements by name, per round
 * @param ratios name of the ratio → [measurement, baselines, whose seconds are added up]
 * @returns medians: a row for each measurement, and the ratios
 */
export function tabulate(rounds, ratios) {
  const rows = Object.keys(rounds[0]).map((what) =>
    rowOf(
      what,
      median(
        rounds.map((round) => round[what]),
        seconds,
      ),
    ),
  );
  const values = Object.entries(ratios).map(([name, [what, ...others]]) => {
    const sum = (round) => others.reduce((total, other) => total + round[other].seconds, 0);
    return [
      name,
      median(
        rounds.map((round) => round[what].seconds / sum(round)),
        (value) => value,
      ),
    ];
  });
  return { rows, ratios: Object.fromEntries(values) };
}

export const seconds = (measured) => measured.seconds;

function rowOf(what, { seconds: time, processSeconds, cpuSeconds, peakMb }) {
  return {
    what,
    seconds: Number(time.toFixed(3)),
    'whole process s': Number(processSeconds.toFixed(2)),
    ...(cpuSeconds && { 'its CPU s': Number(cpuSeconds.toFixed(2)) }),
    ...(peakMb && { 'peak MB': Math.round(peakMb) }),
  };
}

/** A progress line for each round. */
export function lineOf(round) {
  return Object.entries(round)
    .map(([what, measured]) => `${what} ${measured.seconds.toFixed(3)} s`)
    .join(', ');
}
