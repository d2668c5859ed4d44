import { SharedLoad } from './shared-load.js';

/** Loads that end on demand; each results in its number. */
function loads() {
  const begun: { end: () => void; fail: (error: Error) => void }[] = [];
  const shared = new SharedLoad(
    async () =>
      new Promise<number>((resolve, reject) => {
        const number = begun.length + 1;
        begun.push({ end: () => resolve(number), fail: reject });
      }),
  );
  return { shared, begun };
}

const turn = async () => new Promise((resolve) => setImmediate(resolve));

test('those who ask during a load share the next one, which begins after they asked', async () => {
  const { shared, begun } = loads();
  const first = shared.run();
  await turn();
  const others = [shared.run(), shared.run()];
  await turn();
  expect(begun).toHaveLength(1);
  begun[0]!.end();
  expect(await first).toBe(1);
  await turn();
  expect(begun).toHaveLength(2);
  begun[1]!.end();
  expect(await Promise.all(others)).toEqual([2, 2]);
});

test('a load that fails does so for those who share it; the next one begins', async () => {
  const { shared, begun } = loads();
  const failed = [shared.run(), shared.run()].map(async (one) => one.catch((error: Error) => error.message));
  await turn();
  begun[0]!.fail(new Error('unreadable'));
  expect(await Promise.all(failed)).toEqual(['unreadable', 'unreadable']);
  const later = shared.run();
  await turn();
  begun[1]!.end();
  expect(await later).toBe(2);
});
