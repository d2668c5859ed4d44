/** The seed of a randomised test: given by an environment variable, else new; printed so that a run can be repeated. */
export function seedOf(variable: string): number {
  const given = process.env[variable];
  const seed = given === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(given);
  process.stderr.write(`${variable}=${seed}\n`);
  return seed;
}

/** Numbers from 0 up to 1 that follow from the seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
