/**
 * Repeats a measurement: a busy machine may slow down any single run, but code that always waits is never fast.
 *
 * @param measure returns milliseconds
 * @returns the shortest time
 */
export async function fastestOf(count: number, measure: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  while (times.length < count) times.push(await measure());
  return Math.min(...times);
}
