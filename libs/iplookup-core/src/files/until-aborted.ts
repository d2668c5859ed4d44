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
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await orAborted(iterator.next(), signal);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Closes the input file. Not awaited: while a read of a silent standard input is pending, it does not settle.
    void iterator.return?.().catch(() => undefined);
  }
}

/** Unlike a race with one promise for all chunks, which would keep every chunk in memory until it settles. */
async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop!: () => void;
  const aborted = new Promise<never>((_, reject) => (stop = () => reject(signal.reason)));
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
