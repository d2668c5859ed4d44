import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDeclarationFiles } from './read-declaration-files.js';

const MEBIBYTE = 1024 * 1024;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'declarations-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const path = (name: string): string => join(folder, name);
const read = (...names: string[]) =>
  readDeclarationFiles(names.map(path), { stdin: process.stdin, signal: new AbortController().signal });

/** A file of so many zero bytes, which take no room on the disk. */
function sized(name: string, bytes: number): string {
  writeFileSync(path(name), '');
  truncateSync(path(name), bytes);
  return name;
}

test('a folder yields declarations in the order of file names, each file once', async () => {
  mkdirSync(path('tree/inner'), { recursive: true });
  mkdirSync(path('tree/.hidden'));
  for (const name of ['b.json', 'a.YAML', 'inner/c.ndjson', 'inner/d.txt', '.hidden/e.yaml', '.f.yaml'])
    writeFileSync(path(`tree/${name}`), name);
  const found = await read('tree', 'tree/b.json', 'tree');
  expect(found.map(({ text }) => text)).toEqual(['a.YAML', 'b.json', 'inner/c.ndjson']);
  expect(found[2]!.name).toBe(path('tree/inner/c.ndjson'));
});

test('more than 10,000 declarations in a folder are rejected before one is read', async () => {
  mkdirSync(path('many'));
  for (let index = 0; index <= 10_000; index++) writeFileSync(path(`many/${index}.yaml`), '');
  await expect(read('many')).rejects.toThrow(
    new Error(`${path('many')}: cannot be read: the folder contains more than 10000 declarations`),
  );
}, 60_000);

test('YAML and JSON are read up to 16 MiB in total, NDJSON up to 100 MiB', async () => {
  const half = sized('half.yaml', 8 * MEBIBYTE);
  expect(await read(half, sized('other-half.json', 8 * MEBIBYTE))).toHaveLength(2);
  const tooMuch = 'the YAML and JSON declarations exceed 16 MiB in total';
  await expect(read(half, sized('more.json', 8 * MEBIBYTE + 1))).rejects.toThrow(
    new Error(`${path('more.json')}: cannot be read: ${tooMuch}; write them as .ndjson, one per line`),
  );
  await expect(read(sized('all.ndjson', 100 * MEBIBYTE + 1))).rejects.toThrow(
    new Error(`${path('all.ndjson')}: cannot be read: the declarations exceed 100 MiB in total`),
  );
}, 60_000);
