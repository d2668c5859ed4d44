/**
 * Repeats a measurement: on a busy machine any single one may take long, but what always waits is never fast.
 *
 * @param measure returns milliseconds
 * @returns the shortest time
 */
export async function fastestOf(count: number, measure: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  while (times.length < count) times.push(await measure());
  return Math.min(...times);
}
