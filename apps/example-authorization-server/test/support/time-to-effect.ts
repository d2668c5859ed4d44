/** Whoever has waited so long waits in vain; in milliseconds. */
const IN_VAIN_MS = 20_000;

/** When a change took effect, in milliseconds after the registry had answered it. */
export interface TimeToEffect {
  /** When the first request began that the change counted for. */
  readonly effectMs: number;
  /** When the last one began that it did not count for; 0 when there was none. */
  readonly formerMs: number;
}

/**
 * @param change resolves when the registry has answered
 * @param isInEffect makes one request
 * @throws {Error} when it takes no effect at all
 */
export async function timeToEffect(
  change: () => Promise<unknown>,
  isInEffect: () => Promise<boolean>,
): Promise<TimeToEffect> {
  // Just before, so that what is known of the Client is as young as can be.
  if (await isInEffect()) throw new Error('it is in effect before the change');
  await change();
  const answered = performance.now();
  for (let formerMs = 0; ;) {
    const begunMs = performance.now() - answered;
    if (await isInEffect()) return { effectMs: begunMs, formerMs };
    formerMs = begunMs;
    if (begunMs > IN_VAIN_MS) throw new Error(`no effect after ${IN_VAIN_MS} ms`);
  }
}
