import { readFileSync } from 'node:fs';
import type { Client } from 'node-zookeeper-client';
import { readWholeLoad } from './consumers/read-whole-load.js';
import { blocks } from './support/documents.js';
import { loadAndRead } from './support/loads-and-reads.js';

const textOf = (name: string): string => readFileSync(new URL(`consumers/${name}`, import.meta.url), 'utf8');

test('docs/library-consumers.md shows the readers that are tested here, each of less than 60 lines', () => {
  const [typescript, python] = [textOf('read-whole-load.ts'), textOf('read_whole_load.py')];
  expect(blocks('library-consumers.md', 'ts')).toEqual([typescript]);
  expect(blocks('library-consumers.md', 'python')[1]).toBe(python);
  for (const text of [typescript, python]) expect(text.split('\n').length).toBeLessThanOrEqual(60);
});

test('readers in both languages take no mixture for a whole load while loads run and are killed', async () => {
  const { typescript, python, mixtures, kills } = await loadAndRead(4, 6);
  expect({ mixtures, hasKilled: kills > 0 }).toEqual({ mixtures: 0, hasKilled: true });
  expect(Math.min(typescript, python)).toBeGreaterThanOrEqual(3);
});

interface Look {
  readonly manifest: string | undefined;
  readonly mzxid: number;
  readonly session?: number;
}

/** A client whose manifest reads as these say, one after another; the last one stays. */
function clientThatSees(looks: readonly Look[]): { client: Client; tries: () => number } {
  let next = 0;
  const current = (): Look => looks[Math.min(next, looks.length - 1)]!;
  const number = (value: number): Buffer => Buffer.from([value]);
  const client = {
    getSessionId: () => number(current().session ?? 1),
    getData: (path: string, answer: (error: unknown, data?: Buffer, stat?: object) => void) => {
      if (path.startsWith('/library/')) return answer(null, Buffer.from('x'), {});
      const { manifest, mzxid } = current();
      next += 1;
      if (manifest === undefined) return answer({ code: -101 });
      return answer(null, Buffer.from(manifest), { mzxid: number(mzxid) });
    },
    getChildren: (_: string, answer: (error: null, names: string[], stat: object) => void) =>
      answer(null, ['a.txt', '.tenants'], {}),
  };
  return { client: client as unknown as Client, tries: () => next };
}

const DONE = '{"format":1,"load":3}';
const PENDING = '{"format":1,"load":3,"pending":{"load":4}}';

test.each<[string, number, readonly Look[]]>([
  ['the manifest stays', 2, [{ manifest: DONE, mzxid: 1 }]],
  [
    'a load is pending at first',
    3,
    [
      { manifest: PENDING, mzxid: 1 },
      { manifest: DONE, mzxid: 2 },
    ],
  ],
  [
    'the manifest changes in between',
    4,
    [
      { manifest: DONE, mzxid: 1 },
      { manifest: DONE, mzxid: 2 },
    ],
  ],
  [
    'the session changes in between',
    4,
    [
      { manifest: DONE, mzxid: 1, session: 1 },
      { manifest: DONE, mzxid: 1, session: 2 },
    ],
  ],
  [
    'the server lags behind the load announced',
    3,
    [
      { manifest: '{"format":1,"load":2}', mzxid: 1 },
      { manifest: DONE, mzxid: 2 },
    ],
  ],
])('a load counts as read once it is whole: %s', async (_, looks, seen) => {
  const { client, tries } = clientThatSees(seen);
  expect(await readWholeLoad(client, '/library', 3)).toEqual({
    load: 3,
    files: new Map([['a.txt', Buffer.from('x')]]),
  });
  expect(tries()).toBe(looks);
});

test.each([
  ['without a manifest', undefined, /manifest does not exist: cannot tell whether \/library is whole$/],
  ['of a later format', '{"format":2}', /has an unknown format$/],
])('nothing is read %s', async (_, manifest, message) => {
  const { client } = clientThatSees([{ manifest, mzxid: 1 }]);
  await expect(readWholeLoad(client, '/library')).rejects.toThrow(message);
});
