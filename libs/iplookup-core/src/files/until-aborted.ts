/** Passes chunks on until the signal aborts, even while waiting: standard input may stay silent. */
export async function* untilAborted(
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  if (signal === undefined) {
    yield* chunks;
    return;
  }
  signal.throwIfAborted();
  const { promise: aborted, reject } = withReject();
  const stop = (): void => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), aborted]);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    // Closes the input file. Not awaited: while a read of a silent standard input is pending, it does not settle.
    void iterator.return?.().catch(() => undefined);
  }
}

/** A promise that never resolves, whose rejection may go unhandled. */
function withReject(): { promise: Promise<never>; reject: (reason: unknown) => void } {
  let reject!: (reason: unknown) => void;
  const promise = new Promise<never>((_, rejected) => (reject = rejected));
  promise.catch(() => undefined);
  return { promise, reject };
}
