import { BoundedQueue } from './bounded-queue.js';

/** Jobs that end when told to. */
function jobs(queue: BoundedQueue) {
  const started: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const add = (owner: string, name: string) =>
    queue.add(owner, async () => {
      started.push(name);
      return new Promise<string>((resolve, reject) =>
        ends.set(name, (error) => (error ? reject(error) : resolve(name))),
      );
    });
  return { started, add, end: (name: string, error?: Error) => ends.get(name)?.(error) };
}

test('jobs run in order, as many at a time as there is room for', async () => {
  const { started, add, end } = jobs(new BoundedQueue({ running: 2, waiting: 2, perOwner: 9 }));
  const results = ['a', 'b', 'c', 'd'].map(async (name) => add('x', name));
  expect(add('x', 'e')).toBeUndefined();
  await Promise.resolve();
  expect(started).toEqual(['a', 'b']);
  end('b');
  expect(await results[1]).toBe('b');
  expect(started).toEqual(['a', 'b', 'c']);
  end('a', new Error('broken'));
  await expect(results[0]).rejects.toThrow('broken');
  expect(started).toEqual(['a', 'b', 'c', 'd']);
  for (const name of ['c', 'd']) end(name);
  expect(await Promise.all(results.slice(2))).toEqual(['c', 'd']);
  expect(add('x', 'f')).toBeDefined();
});

test('one owner cannot take the room of others', async () => {
  const { add, end } = jobs(new BoundedQueue({ running: 1, waiting: 9, perOwner: 2 }));
  const first = add('flood', 'a');
  expect([add('flood', 'b'), add('flood', 'c'), add('other', 'd')].map((job) => job !== undefined)).toEqual([
    true,
    false,
    true,
  ]);
  await Promise.resolve();
  end('a');
  await first;
  expect(add('flood', 'e')).toBeDefined();
});
