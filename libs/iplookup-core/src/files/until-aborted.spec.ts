import { collectGarbage } from './collect-garbage.js';
import { untilAborted } from './until-aborted.js';

async function* chunks(count: number, made: (chunk: Uint8Array) => void): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index++) {
    const chunk = new Uint8Array(1_000).fill(index);
    made(chunk);
    yield chunk;
  }
}

test('chunks are passed on, and not kept', async () => {
  const made: WeakRef<Uint8Array>[] = [];
  const passed: number[] = [];
  for await (const chunk of untilAborted(
    chunks(20, (chunk) => made.push(new WeakRef(chunk))),
    new AbortController().signal,
  )) {
    passed.push(chunk[0]!);
    await new Promise((resolve) => setTimeout(resolve));
    // Each collection takes a second in a worker whose heap is large.
    if (passed.length % 10 !== 0) continue;
    collectGarbage();
    // The generators on the way hold the newest ones.
    expect(made.slice(0, -3).filter((each) => each.deref() !== undefined)).toEqual([]);
  }
  expect(passed).toEqual(Array.from({ length: 20 }, (_, index) => index));
});

test('an abort ends the wait for a chunk that never comes, and the input is closed', async () => {
  const stopping = new AbortController();
  let isClosed = false;
  const silent: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      next: async () => new Promise(() => undefined),
      return: async () => {
        isClosed = true;
        return { done: true, value: undefined };
      },
    }),
  };
  const ended = untilAborted(silent, stopping.signal).next();
  stopping.abort(new Error('enough'));
  await expect(ended).rejects.toThrow('enough');
  expect(isClosed).toBe(true);
});
