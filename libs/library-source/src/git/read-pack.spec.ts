import { deflateSync } from 'node:zlib';
import { entry, oidOf, pack, treeBomb, treeLine as line } from '../../test/support/make-pack.js';
import { GitTree } from './git-tree.js';
import { readPack } from './read-pack.js';

const read = async (data: Buffer, maxBytes = 1e9) => readPack(data, { maxBytes });
const text = Buffer.from('the quick brown fox');
/** `text` with its last three letters replaced: copy 16 bytes from 0, insert three. */
const delta = Buffer.from([19, 19, 0x90, 16, 3, ...Buffer.from('dog')]);
const changed = Buffer.from('the quick brown dog');

test('objects are found by their SHA-1', async () => {
  const objects = await read(pack([entry('blob', text), entry('blob', Buffer.alloc(0))]));
  expect(objects.get(oidOf('blob', text))).toEqual({ type: 'blob', data: text });
  expect(objects.get('e69de29bb2d1d6434b8b29ae775ad8c2e48c5391')?.data).toHaveLength(0);
});

test('a delta makes an object from one before it, or from one that it names, also after it', async () => {
  const first = entry('blob', text);
  const back = Buffer.from([first.length]);
  const named = entry('reference', delta, { base: Buffer.from(oidOf('blob', text), 'hex') });
  for (const entries of [
    [first, entry('offset', delta, { base: back })],
    [first, named],
    [named, first],
  ]) {
    const objects = await read(pack(entries));
    expect(Buffer.from(objects.get(oidOf('blob', changed))!.data).toString()).toBe(changed.toString());
  }
});

const DAMAGED = pack([entry('blob', text)]);
DAMAGED[DAMAGED.length - 1]! ^= 1;

test.each([
  ['no pack', Buffer.from('<html>'), /is no pack/],
  ['a changed byte', DAMAGED, /checksum is wrong/],
  ['fewer objects than it says', pack([entry('blob', text)], 2), /damaged/],
  ['an object of another size', pack([entry('blob', text, { size: 25 })]), /another size than it says/],
  ['a longer object than it says', pack([entry('blob', text, { size: 2 })]), /damaged/],
  ['no such type', pack([Buffer.concat([Buffer.from([0x53]), deflateSync(Buffer.alloc(3))])]), /no type/],
  [
    'a delta against nothing',
    pack([entry('reference', delta, { base: Buffer.alloc(20) })]),
    /others need is missing/,
  ],
  ...(
    [
      ['another base', [18, 19, 0x90, 16]],
      ['a longer result', [19, 18, 0x90, 19]],
      ['a shorter result', [19, 20, 0x90, 19]],
      ['a copy from beyond', [19, 19, 0x91, 10, 19]],
      ['an insertion cut short', [19, 19, 0x90, 16, 3, 65]],
      ['no sizes', [255]],
      ['a code that means nothing', [19, 19, 0]],
    ] as const
  ).map(
    ([what, bytes]) =>
      [
        `a delta with ${what}`,
        pack([
          entry('blob', text),
          entry('reference', Buffer.from(bytes), { base: Buffer.from(oidOf('blob', text), 'hex') }),
        ]),
        /delta/,
      ] as const,
  ),
] as [string, Buffer, RegExp][])('%s is an error', async (_case, data, message) => {
  await expect(read(data)).rejects.toThrow(message);
});

test('more than is allowed is refused before it is unpacked', async () => {
  const bomb = entry('blob', Buffer.alloc(64), { size: 2 ** 30 });
  await expect(read(pack([bomb]), 1 << 20)).rejects.toThrow(/have more than 1 MiB/);
  const grows = entry('reference', Buffer.from([19, 0xff, 0xff, 0xff, 0x7f]), {
    base: Buffer.from(oidOf('blob', text), 'hex'),
  });
  await expect(read(pack([entry('blob', text), grows]), 1 << 20)).rejects.toThrow(/have more than 1 MiB/);
});

describe('a tree', () => {
  const treeOf = (...lines: Uint8Array[]) => Buffer.concat(lines);
  const blob = oidOf('blob', text);
  const entriesOf = async (...trees: Uint8Array[]) => {
    const objects = await read(pack([entry('blob', text), ...trees.map((tree) => entry('tree', tree))]));
    return new GitTree(objects).entries(oidOf('tree', trees.at(-1)!), () => true);
  };

  test('lists files, folders, links and submodules', async () => {
    const inner = treeOf(line('100755', 'x.yaml', blob));
    const outer = treeOf(
      line('100644', 'a.yaml', blob),
      line('40000', 'b', oidOf('tree', inner)),
      line('120000', 'c.yaml', blob),
      line('160000', 'd', '0'.repeat(40)),
    );
    expect((await entriesOf(inner, outer)).map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      'file a.yaml',
      'folder b',
      'link c.yaml',
      'submodule d',
      'file b/x.yaml',
    ]);
  });

  test.each(['..', '.', 'a/b', '../../etc/passwd', ''])(
    'with an entry called %j is refused: it would lead elsewhere',
    async (name) => {
      await expect(entriesOf(treeOf(line('100644', name, blob)))).rejects.toThrow(/name is a path/);
    },
  );

  test('that holds itself a million times in a few hundred bytes is refused', async () => {
    await expect(entriesOf(...treeBomb(blob))).rejects.toThrow(/more than 1000000 entries/);
  });

  test('with an object that is not there is an error', async () => {
    await expect(entriesOf(treeOf(line('100644', 'x', 'a'.repeat(40))))).rejects.toThrow(/is missing/);
  });
});
