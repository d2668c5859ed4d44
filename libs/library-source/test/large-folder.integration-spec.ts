import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bytesOf, type SourceEntry } from '@svc/library-sync';
import { openSource } from '../src/index.js';

const FILES = 50;
/** All together, more than stays in memory. */
const FILE_BYTES = 900_000;

let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-large-'));
  writeFiles('first');
  // Files written just now would be read twice anyway.
  await sleep(50);
});

afterEach(() => rmSync(folder, { recursive: true }));

function writeFiles(word: string): void {
  for (let index = 0; index < FILES; index += 1) {
    writeFileSync(join(folder, `${index}.csv`), Buffer.alloc(FILE_BYTES, `${word} ${index},`));
  }
}

const contentsOf = (entries: readonly SourceEntry[]) =>
  entries.map((entry) => (entry.kind === 'file' ? entry.data : undefined)!);

const openFiles = (): number => readdirSync('/proc/self/fd').length;

test('contents of a large library are not all kept in memory, and remain as read when the files change', async () => {
  const source = openSource({ address: folder });
  const { entries } = await source.read(() => () => true);
  const contents = contentsOf(entries);
  writeFiles('other');
  expect(contents.filter((content) => 'read' in content).length).toBeGreaterThan(10);
  for (const [index, { path }] of entries.entries()) {
    const expected = Buffer.alloc(FILE_BYTES, `first ${path.replace('.csv', '')},`);
    expect(expected.equals(bytesOf(contents[index]!))).toBe(true);
  }
  source.release?.();
});

test('what is kept of a large library is freed, also if it is read again', async () => {
  const before = openFiles();
  const source = openSource({ address: folder });
  const { entries } = await source.read(() => () => true);
  await source.read(() => () => true);
  expect(() => contentsOf(entries).map(bytesOf)).toThrow('released');
  expect(openFiles()).toBe(before + 1);
  source.release?.();
  expect(openFiles()).toBe(before);
});
