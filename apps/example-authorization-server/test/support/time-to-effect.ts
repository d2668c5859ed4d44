/** Timeout in milliseconds. */
const TIMEOUT_MS = 20_000;

/** When a change took effect, in milliseconds after the registry's response. */
export interface TimeToEffect {
  /** Start of the first request that saw the change. */
  readonly effectMs: number;
  /** Start of the last request that did not; 0 if there was none. */
  readonly formerMs: number;
}

/**
 * @param change resolves with the registry's response
 * @param isInEffect makes one request
 * @throws {Error} if it does not take effect
 */
export async function timeToEffect(
  change: () => Promise<unknown>,
  isInEffect: () => Promise<boolean>,
): Promise<TimeToEffect> {
  // Immediately before, so that the Client is freshly cached.
  if (await isInEffect()) throw new Error('it is in effect before the change');
  await change();
  const answered = performance.now();
  for (let formerMs = 0; ;) {
    const begunMs = performance.now() - answered;
    if (await isInEffect()) return { effectMs: begunMs, formerMs };
    formerMs = begunMs;
    if (begunMs > TIMEOUT_MS) throw new Error(`no effect after ${TIMEOUT_MS} ms`);
  }
}
