import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { replaceFiles } from './replace-files.js';

let folder: string;
const at = (name: string) => join(folder, name);
const read = (name: string) => readFileSync(at(name), 'utf8');
const replace = (names: readonly string[], signal = new AbortController().signal) =>
  replaceFiles(
    names.map((name) => ({ path: at(name), content: 'new' })),
    signal,
  );

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'replace-files-'));
  for (const name of ['a', 'b', 'c']) writeFileSync(at(name), 'old');
});

afterEach(() => rmSync(folder, { recursive: true }));

test('every file has its new content, mode and links, and no temporary file remains', async () => {
  chmodSync(at('a'), 0o640);
  symlinkSync('a', at('link'));
  await replace(['link', 'b']);
  expect([read('a'), read('b'), read('c')]).toEqual(['new', 'new', 'old']);
  expect(statSync(at('a')).mode & 0o7777).toBe(0o640);
  expect(lstatSync(at('link')).isSymbolicLink()).toBe(true);
  expect(readdirSync(folder).sort()).toEqual(['a', 'b', 'c', 'link']);
});

test('a file whose draft cannot be written changes none', async () => {
  await expect(replace(['a', 'nope'])).rejects.toMatchObject({
    name: 'CommanderError',
    message: `${at('nope')}: cannot replace the file (ENOENT)\nno file was changed`,
  });
  expect(read('a')).toBe('old');
  expect(readdirSync(folder).sort()).toEqual(['a', 'b', 'c']);
});

test('a failure after some files were replaced reports which were changed', async () => {
  rmSync(at('b'));
  mkdirSync(at('b'));
  await expect(replace(['a', 'b', 'c'])).rejects.toMatchObject({
    message: [
      `${at('b')}: cannot replace the file (EISDIR)`,
      `${at('a')}: changed`,
      `${at('b')}: not changed`,
      `${at('c')}: not changed`,
    ].join('\n'),
  });
  expect([read('a'), read('c')]).toEqual(['new', 'old']);
  expect(readdirSync(folder).sort()).toEqual(['a', 'b', 'c']);
});

test('an interruption before the first is replaced changes none', async () => {
  await expect(replace(['a', 'b'], AbortSignal.abort())).rejects.toThrow();
  expect([read('a'), read('b')]).toEqual(['old', 'old']);
  expect(readdirSync(folder).sort()).toEqual(['a', 'b', 'c']);
});
