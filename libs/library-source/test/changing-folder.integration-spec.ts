import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { bytesOf, SourceChangedError, type SourceTree } from '@svc/library-sync';
import { openSource } from '../src/index.js';

let folder: string;
const at = (...names: string[]) => join(folder, ...names);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-changing-'));
});

afterEach(async () => rm(folder, { recursive: true }));

const FILES = Array.from({ length: 6 }, (_, n) => `Parsers/f${n}.yaml`);

/** Writes one library per name, in which every file contains the name. */
async function writeLibraries(folder: string, ...names: string[]): Promise<void> {
  for (const name of names) {
    mkdirSync(join(folder, name, 'Parsers'), { recursive: true });
    for (const file of FILES) writeFileSync(join(folder, name, file), name);
  }
  // Files written just now would be read twice anyway.
  await sleep(30);
}

function point(link: string, target: string): void {
  symlinkSync(target, `${link}.next`);
  renameSync(`${link}.next`, link);
}

function exchange(a: string, b: string): void {
  renameSync(a, `${a}.away`);
  renameSync(b, a);
  renameSync(`${a}.away`, b);
}

const marks = ({ entries }: SourceTree) => [
  ...new Set(
    entries.flatMap((entry) => (entry.kind === 'file' ? [Buffer.from(bytesOf(entry.data)).toString()] : [])),
  ),
];

/** Reads, calling `onEntry` before each entry of each pass to change the folder; `pass` counts from 1. */
async function read(path: string, onEntry: (entry: string, pass: number) => void, subfolder?: string) {
  let pass = 0;
  return openSource({ address: path, subfolder }).read(() => {
    pass += 1;
    const now = pass;
    return (entry) => {
      onEntry(entry, now);
      return true;
    };
  });
}

describe('a link to the source that is swapped during the read', () => {
  beforeEach(async () => {
    await writeLibraries(folder, 'A', 'B');
    await symlink('A', at('current'));
  });

  test.each(['Parsers', ...FILES])('before %s: reads one library, not a mixture', async (moment) => {
    let target = 'A';
    const tree = await read(at('current'), (entry) => {
      if (entry === moment) point(at('current'), (target = target === 'A' ? 'B' : 'A'));
    });
    expect(marks(tree)).toHaveLength(1);
    expect(tree.entries).toHaveLength(FILES.length + 1);
  });

  test('with the old library removed, as git-sync does: reads the new one', async () => {
    const tree = await read(at('current'), (entry, pass) => {
      if (entry !== FILES[2] || pass !== 1) return;
      point(at('current'), 'B');
      rmSync(at('A'), { recursive: true });
    });
    expect(marks(tree)).toEqual(['B']);
  });

  test('above a subfolder: reads one library', async () => {
    const tree = await read(
      folder,
      (entry) => entry === 'f3.yaml' && point(at('current'), 'B'),
      'current/Parsers',
    );
    expect(marks(tree)).toHaveLength(1);
  });
});

describe('folders that are swapped during the read', () => {
  beforeEach(async () => writeLibraries(folder, 'A', 'B'));

  test.each(FILES)('once, before %s: reads one library', async (moment) => {
    let isDone = false;
    const tree = await read(at('A'), (entry) => {
      if (entry === moment && !isDone) exchange(at('A'), at('B'));
      isDone ||= entry === moment;
    });
    expect(marks(tree)).toEqual(['B']);
  });

  test('back and forth at the same entry of each pass: rejected, naming the path', async () => {
    const reading = read(at('A'), (entry) => {
      if (entry === FILES[1] || entry === FILES[3]) exchange(at('A', 'Parsers'), at('B', 'Parsers'));
    });
    await expect(reading).rejects.toThrow(SourceChangedError);
    await expect(reading).rejects.toThrow(
      /^the source \S+\/A keeps changing while it is read \(last \S+\); load it again once it is stable/,
    );
  });
});

test('a file rewritten after it was read, with the same size and time, is read again', async () => {
  await writeLibraries(folder, 'A');
  const time = new Date(1_700_000_000_000);
  for (const name of FILES) utimesSync(at('A', name), time, time);
  const tree = await read(at('A'), (entry, pass) => {
    if (entry !== FILES[5] || pass > 3) return;
    for (const name of FILES) {
      writeFileSync(at('A', name), String(pass));
      utimesSync(at('A', name), time, time);
    }
  });
  expect(marks(tree)).toEqual(['3']);
});

test('a file rewritten twice within a clock tick is read in its final state', async () => {
  await writeLibraries(folder, 'A');
  const contents: string[] = [];
  for (let round = 0; round < 10; round += 1) {
    const { entries } = await read(at('A'), (entry, pass) => {
      if (pass === 1 && entry === FILES[1]) writeFileSync(at('A', FILES[1]!), '1');
      if (pass === 1 && entry === FILES[2]) writeFileSync(at('A', FILES[1]!), '2');
    });
    const found = entries.find(({ path }) => path === FILES[1]);
    contents.push(found?.kind === 'file' ? Buffer.from(bytesOf(found.data)).toString() : '');
  }
  expect(new Set(contents)).toEqual(new Set(['2']));
});

test('a file written during the read is read again, even if the clock was set back before', async () => {
  await writeLibraries(folder, 'A');
  const { now } = Date;
  let hours = 1;
  let passes = 0;
  jest.spyOn(Date, 'now').mockImplementation(() => now() + hours * 3_600_000);
  await read(at('A'), (entry, pass) => {
    passes = pass;
    hours = 0;
    if (pass === 1 && entry === FILES[2]) writeFileSync(at('A', entry), 'B');
  });
  expect(passes).toBe(3);
});

test.each([
  ['a file', (path: string) => rmSync(join(path, FILES[4]!))],
  ['a folder', (path: string) => rmSync(join(path, 'Parsers'), { recursive: true })],
  [
    'a file replaced by a link',
    (path: string) => {
      rmSync(join(path, FILES[4]!));
      symlinkSync('/etc/passwd', join(path, FILES[4]!));
    },
  ],
])('%s that disappears between listing and reading is a change, not a failure', async (_case, change) => {
  await writeLibraries(folder, 'A');
  let isDone = false;
  const { entries } = await read(at('A'), (entry) => {
    if (entry === FILES[3] && !isDone) change(at('A'));
    isDone ||= entry === FILES[3];
  });
  expect(entries.map(({ path }) => path)).not.toContain('Parsers/f9.yaml');
  expect(entries.filter(({ kind }) => kind === 'file').length).toBeLessThan(FILES.length);
});

test('reading only the revision survives a disappearing file, too', async () => {
  await writeLibraries(folder, 'A');
  let isDone = false;
  const signal = AbortSignal.any([]);
  // Called before each folder is listed.
  signal.throwIfAborted = () => {
    if (!isDone) rmSync(at('A', 'Parsers'), { recursive: true });
    isDone = true;
  };
  await expect(openSource({ address: at('A') }).revision(signal)).resolves.toMatch(/^[\w-]{22}$/);
});

test('a folder that disappears for good during the read is reported by name', async () => {
  await writeLibraries(folder, 'A');
  const reading = read(at('A'), (entry) => entry === FILES[0] && rmSync(at('A'), { recursive: true }));
  await expect(reading).rejects.toThrow(`cannot read the source ${at('A')} (ENOENT)`);
});

test('reading stops at once when aborted, also between two attempts', async () => {
  await writeLibraries(folder, 'A');
  const abort = new AbortController();
  let passes = 0;
  const reading = openSource({ address: at('A') }).read(() => {
    passes += 1;
    return (path) => {
      if (path === FILES[0]) writeFileSync(at('A', FILES[1]!), `${passes}`);
      if (path === FILES[5] && passes === 2) abort.abort(new Error('called off'));
      return true;
    };
  }, abort.signal);
  await expect(reading).rejects.toThrow();
  expect(passes).toBeLessThanOrEqual(2);
});

/** Swaps a link between two libraries, or within a Kubernetes volume, as fast as a process can. */
const SWAPPER = `
  const { renameSync, symlinkSync } = require('node:fs');
  const [link, ...targets] = process.argv.slice(1);
  process.stdout.write('ready');
  for (let n = 0; ; n += 1) {
    symlinkSync(targets[n % 2], link + '.next');
    renameSync(link + '.next', link);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.random() * 3);
  }
`;

test.each([
  ['the link to the source', 'current', 'A', 'B', 'current', 40],
  ['the link in a volume', 'volume/..data', '..A', '..B', 'volume', 3],
])('while a process keeps swapping %s: never a mixture', async (_case, link, a, b, source, reads) => {
  await mkdir(at('volume'));
  const base = link.startsWith('volume') ? at('volume') : folder;
  await writeLibraries(base, a, b);
  await symlink(a, at(link));
  await symlink('..data/Parsers', at('volume', 'Parsers'));
  for (const name of FILES) await symlink(`..data/${name}`, at('volume', name.slice('Parsers/'.length)));
  const swapper = spawn(process.execPath, ['-e', SWAPPER, at(link), a, b], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await once(swapper.stdout, 'data');
    let complete = 0;
    for (let n = 0; n < reads; n += 1) {
      const tree = await openSource({ address: at(source) })
        .read(() => (path) => !path.startsWith('.'))
        .catch((error: unknown) => {
          if (error instanceof SourceChangedError) return undefined;
          throw error;
        });
      if (tree === undefined) continue;
      complete += 1;
      expect(marks(tree)).toHaveLength(1);
    }
    // Swapping the link to the source is harmless; within a volume each swap is a change.
    if (source === 'current') expect(complete).toBe(reads);
  } finally {
    swapper.kill('SIGKILL');
    await once(swapper, 'close');
  }
});
