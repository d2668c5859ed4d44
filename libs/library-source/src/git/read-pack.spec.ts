import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { ContentStore } from '@svc/foundation/files';
import { bytesOf } from '@svc/library-sync';
import {
  entry,
  nestedTrees,
  oidOf,
  pack,
  reversedDeltas,
  treeBomb,
  treeLine as line,
} from '@svc/test-servers/git-pack';
import { GitTree } from './git-tree.js';
import { PackFile } from './pack-file.js';
import { type PackLimits, readPack } from './read-pack.js';

const read = async (data: Buffer, limits: Partial<PackLimits> = {}) => {
  const file = new PackFile();
  file.append(data);
  return readPack(file, { maxBytes: 1e9, maxObjects: 1e6, ...limits }).finally(() => file.close());
};
const text = Buffer.from('the quick brown fox');
/** Replaces the last three letters of `text`: copies 16 bytes from 0, inserts three. */
const delta = Buffer.from([19, 19, 0x90, 16, 3, ...Buffer.from('dog')]);
const changed = Buffer.from('the quick brown dog');

test('objects are found by their SHA-1', async () => {
  const objects = await read(pack([entry('blob', text), entry('blob', Buffer.alloc(0))]));
  expect(objects.get(oidOf('blob', text))).toEqual({ type: 'blob', data: text });
  expect(objects.get('e69de29bb2d1d6434b8b29ae775ad8c2e48c5391')?.data).toHaveLength(0);
});

test('a delta’s base may come earlier, or be named by its SHA-1 and come later', async () => {
  const first = entry('blob', text);
  const back = Buffer.from([first.length]);
  const named = entry('reference', delta, { base: Buffer.from(oidOf('blob', text), 'hex') });
  for (const entries of [
    [first, entry('offset', delta, { base: back })],
    [first, named],
    [named, first],
  ]) {
    const objects = await read(pack(entries));
    expect(bytesOf(objects.get(oidOf('blob', changed))!.data)).toEqual(changed);
  }
});

test('objects of any length are found in a pack that is larger than what is read at once', async () => {
  const blobs = [3_000_000, 1, 1 << 18, 70_000, 65_536, 500_000, 20].map((bytes) => randomBytes(bytes));
  const objects = await read(pack(blobs.map((data) => entry('blob', data))));
  expect([...objects.keys()]).toEqual(blobs.map((data) => oidOf('blob', data)));
});

test('blobs are kept outside memory, also those that deltas are based on', async () => {
  const contents = new ContentStore({ memoryBytes: 0 });
  try {
    const base = Buffer.from(oidOf('blob', text), 'hex');
    const objects = await read(pack([entry('reference', delta, { base }), entry('blob', text)]), {
      contents,
    });
    const kept = [text, changed].map((data) => objects.get(oidOf('blob', data))!.data);
    expect(kept.map((data) => 'read' in data)).toEqual([true, true]);
    expect(kept.map(bytesOf)).toEqual([text, changed]);
  } finally {
    contents.release();
  }
});

const DAMAGED = pack([entry('blob', text)]);
DAMAGED[DAMAGED.length - 1]! ^= 1;

test.each([
  ['no pack', Buffer.from('<html>'), /not a pack/],
  ['a changed byte', DAMAGED, /checksum is wrong/],
  ['fewer objects than declared', pack([entry('blob', text)], 2), /damaged/],
  ['an object of another size', pack([entry('blob', text, { size: 25 })]), /does not have its declared size/],
  ['a size without end', pack([Buffer.alloc(300, 0xb0)]), /has no size/],
  [
    'a base without end',
    pack([Buffer.concat([Buffer.from([0x60]), Buffer.alloc(300, 0x80)])]),
    /a delta has no base/,
  ],
  ['an object longer than declared', pack([entry('blob', text, { size: 2 })]), /damaged/],
  ['an unknown type', pack([Buffer.concat([Buffer.from([0x53]), deflateSync(Buffer.alloc(3))])]), /no type/],
  [
    'a delta without its base',
    pack([entry('reference', delta, { base: Buffer.alloc(20) })]),
    /others need is missing/,
  ],
  ...(
    [
      ['another base', [18, 19, 0x90, 16]],
      ['a longer result', [19, 18, 0x90, 19]],
      ['a shorter result', [19, 20, 0x90, 19]],
      ['a copy from beyond the base', [19, 19, 0x91, 10, 19]],
      ['an insertion cut short', [19, 19, 0x90, 16, 3, 65]],
      ['no sizes', [255]],
      ['an invalid code', [19, 19, 0]],
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

test('a pack over the limit is rejected before it is unpacked', async () => {
  const bomb = entry('blob', Buffer.alloc(64), { size: 2 ** 30 });
  await expect(read(pack([bomb]), { maxBytes: 1 << 20 })).rejects.toThrow(/have more than 1 MiB/);
  const grows = entry('reference', Buffer.from([19, 0xff, 0xff, 0xff, 0x7f]), {
    base: Buffer.from(oidOf('blob', text), 'hex'),
  });
  const both = pack([entry('blob', text), grows]);
  await expect(read(both, { maxBytes: 1 << 20 })).rejects.toThrow(/have more than 1 MiB/);
});

test('too many objects are rejected before any is read', async () => {
  const many = pack([entry('blob', text)], 1001);
  await expect(read(many, { maxObjects: 1000 })).rejects.toThrow('it has 1001 objects, more than 1000');
});

test('deltas in reverse order take linear time', async () => {
  const small = await timeOf(reversedDeltas(1_000));
  const large = await timeOf(reversedDeltas(8_000));
  // Eight times as many: quadratic time would make it 64 times as long.
  expect(large / small).toBeLessThan(24);
}, 60_000);

/** The minimum of three runs, in microseconds of CPU time. */
async function timeOf({ entries, last }: ReturnType<typeof reversedDeltas>): Promise<number> {
  const packed = pack(entries);
  let least = Infinity;
  for (let round = 0; round < 3; round += 1) {
    const before = process.cpuUsage();
    expect((await read(packed)).has(last)).toBe(true);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, user + system);
  }
  return least;
}

test('deltas whose common base comes last are resolved', async () => {
  const base = Buffer.from(oidOf('blob', text), 'hex');
  const deltas = Array.from({ length: 300 }, (_, index) =>
    entry('reference', Buffer.from([19, 2, 2, index >> 8, index & 0xff]), { base }),
  );
  expect((await read(pack([...deltas, entry('blob', text)]))).size).toBe(301);
});

describe('a pack that takes long to read', () => {
  const zeros = Buffer.alloc(48 << 20);
  /** Base and result sizes, 48 MiB each, then three copies of 16 MiB - 1 and the rest. */
  const size = [0x80, 0x80, 0x80, 0x18];
  const copies = Array.from({ length: 3 }, () => [0xf0, 0xff, 0xff, 0xff]).flat();
  const grown = entry('reference', Buffer.from([...size, ...size, ...copies, 0x90, 3]), {
    base: Buffer.from(oidOf('blob', zeros), 'hex'),
  });
  /** Empty deflate blocks: a hundred megabytes of input for an empty object. */
  const emptyBlocks = Buffer.concat([
    Buffer.from([0x30, 0x78, 0x01]),
    Buffer.alloc(100_000_000, Buffer.from([0, 0, 0, 0xff, 0xff])),
    Buffer.from([1, 0, 0, 0xff, 0xff, 0, 0, 0, 1]),
  ]);
  const emptyBlob = entry('blob', Buffer.alloc(0));
  const large = entry('blob', zeros);
  const PACKS: [string, Buffer][] = [
    ['many small objects', pack(Array.from({ length: 20_000 }, () => emptyBlob))],
    ['a large object', pack([large])],
    ['a large object from a delta', pack([large, grown])],
    ['a small object from much input', pack([emptyBlocks])],
    ['a chain of deltas', pack(reversedDeltas(10_000).entries)],
  ];

  test.each(PACKS)('(%s) yields to the event loop', async (_case, data) => {
    let others = 0;
    const timer = setInterval(() => (others += 1), 1);
    await read(data).finally(() => clearInterval(timer));
    expect(others).toBeGreaterThan(10);
  });

  test.each(PACKS)('(%s) stops when the signal aborts', async (_case, data) => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 10);
    await expect(read(data, { signal: abort.signal })).rejects.toMatchObject({ name: 'AbortError' });
  });
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
    'with an entry named %j is rejected: it would escape the folder',
    async (name) => {
      await expect(entriesOf(treeOf(line('100644', name, blob)))).rejects.toThrow(/name is a path/);
    },
  );

  test('that contains itself a million times in a few hundred bytes is rejected', async () => {
    await expect(entriesOf(...treeBomb(blob))).rejects.toThrow(/more than 1000000 entries/);
  });

  test('that contains itself under long names is rejected before its paths fill the memory', async () => {
    await expect(entriesOf(...treeBomb(blob, 'n'.repeat(200)))).rejects.toThrow(
      /its paths have more than 256 MiB in total/,
    );
  });

  test('is read up to 255 folders deep, and rejected beyond', async () => {
    expect(await entriesOf(...nestedTrees(255, 'd', blob))).toHaveLength(256);
    await expect(entriesOf(...nestedTrees(256, 'd', blob))).rejects.toThrow(
      `folders are more than 255 levels deep, in "${'d/'.repeat(40)}"...`,
    );
  });

  test('is read with paths of up to 4096 bytes, and rejected beyond', async () => {
    // "é" has two bytes; 19 folders of 200 bytes and a slash each, and a last one.
    const trees = (rest: number) => {
      const inner = treeOf(line('40000', 'e'.repeat(rest), oidOf('tree', Buffer.alloc(0))));
      const outer = [inner];
      for (let level = 0; level < 19; level += 1) {
        outer.push(treeOf(line('40000', 'é'.repeat(100), oidOf('tree', outer.at(-1)!))));
      }
      return [Buffer.alloc(0), ...outer];
    };
    expect(await entriesOf(...trees(4096 - 19 * 201))).toHaveLength(20);
    await expect(entriesOf(...trees(4097 - 19 * 201))).rejects.toThrow(/^a path has more than 4096 bytes/);
  });

  test('with a name of 5000 bytes, or none, is damaged', async () => {
    await expect(entriesOf(treeOf(line('100644', 'n'.repeat(5000), blob)))).rejects.toThrow(/damaged/);
    await expect(entriesOf(Buffer.alloc(100, '1'))).rejects.toThrow(/damaged/);
  });

  test('that takes long to read stops when the signal aborts', async () => {
    const trees = treeBomb(blob);
    const objects = await read(pack([entry('blob', text), ...trees.map((tree) => entry('tree', tree))]));
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 10);
    const tree = new GitTree(objects, abort.signal);
    await expect(tree.entries(oidOf('tree', trees.at(-1)!), () => true)).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  test('is found through nested tags, but not through an endless chain', async () => {
    const commit = Buffer.from(`tree ${blob}\n`);
    const chain = (length: number) => {
      const tags: Buffer[] = [];
      for (let oid = oidOf('commit', commit); tags.length < length; oid = oidOf('tag', tags.at(-1)!)) {
        tags.push(Buffer.from(`object ${oid}\n`));
      }
      return tags;
    };
    const commitOf = async (tags: Buffer[]) => {
      const objects = await read(pack([entry('commit', commit), ...tags.map((tag) => entry('tag', tag))]));
      return new GitTree(objects).commit(oidOf('tag', tags.at(-1)!));
    };
    expect(await commitOf(chain(10))).toBe(oidOf('commit', commit));
    await expect(commitOf(chain(11))).rejects.toThrow('a tag points through more than 10 others');
  });

  test('with a missing object is an error', async () => {
    await expect(entriesOf(treeOf(line('100644', 'x', 'a'.repeat(40))))).rejects.toThrow(
      /did not send the object/,
    );
  });
});
