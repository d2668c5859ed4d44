/**
 * Carries tasks out, ten of them concurrently: more wait for the same row longer than a busy machine's time limit allows.
 *
 * @returns their results, in the order in which they ended
 */
export async function tenAtATime<T>(tasks: Iterable<() => Promise<T>>): Promise<T[]> {
  const waiting = [...tasks];
  const results: T[] = [];
  const work = async (): Promise<void> => {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) results.push(await task());
  };
  await Promise.all(Array.from({ length: 10 }, work));
  return results;
}
