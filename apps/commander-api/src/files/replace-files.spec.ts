import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
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
import { digestOf, replaceFiles } from './replace-files.js';

const CHANGED = 'another program has changed it since it was read; run the command again';

let folder: string;
const at = (name: string) => join(folder, name);
const read = (name: string) => readFileSync(at(name), 'utf8');
const replace = (names: readonly string[], signal = new AbortController().signal) =>
  replaceFiles(
    names.map((name) => ({ path: at(name), content: 'new', before: digestOf(Buffer.from('old')) })),
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
  symlinkSync('a', at('link'));
  await expect(replace(['a', 'link', 'c'])).rejects.toMatchObject({
    message: [
      `${at('link')}: cannot replace the file (${CHANGED})`,
      `${at('a')}: changed`,
      `${at('link')}: not changed`,
      `${at('c')}: not changed`,
    ].join('\n'),
  });
  expect([read('a'), read('c')]).toEqual(['new', 'old']);
  expect(readdirSync(folder).sort()).toEqual(['a', 'b', 'c', 'link']);
});

test('a file that changed since it was read is kept, and no other is replaced', async () => {
  writeFileSync(at('b'), 'mine');
  await expect(replace(['a', 'b'])).rejects.toMatchObject({
    message: `${at('b')}: cannot replace the file (${CHANGED})\nno file was changed`,
  });
  expect([read('a'), read('b')]).toEqual(['old', 'mine']);
  expect(readdirSync(folder).sort()).toEqual(['a', 'b', 'c']);
});

test('a file with an access control list is refused: its group would get what the mask allows', async () => {
  if (!setAccessList(at('b'))) return;
  expect(statSync(at('b')).mode & 0o777).toBe(0o640);
  await expect(replace(['a', 'b'])).rejects.toMatchObject({
    message: `${at('b')}: cannot replace the file (it has an access control list, which would be lost; remove it with "setfacl -b", and set it again afterwards)\nno file was changed`,
  });
  expect([read('a'), read('b')]).toEqual(['old', 'old']);
  symlinkSync('b', at('link'));
  await expect(replace(['link'])).rejects.toThrow('access control list');
});

/** `user::rw-,user:1000:r--,group::---,mask::r--,other::---`, as the kernel stores it. False where the file system has none. */
function setAccessList(path: string): boolean {
  const entries = [
    [1, 6, -1],
    [2, 4, 1000],
    [4, 0, -1],
    [0x10, 4, -1],
    [0x20, 0, -1],
  ];
  const list = Buffer.alloc(4 + 8 * entries.length);
  list.writeUInt32LE(2);
  for (const [index, [tag, rights, id]] of entries.entries()) {
    list.writeUInt16LE(tag!, 4 + 8 * index);
    list.writeUInt16LE(rights!, 6 + 8 * index);
    list.writeInt32LE(id!, 8 + 8 * index);
  }
  const script =
    'import os, sys; os.setxattr(sys.argv[1], "system.posix_acl_access", bytes.fromhex(sys.argv[2]))';
  return spawnSync('python3', ['-c', script, path, list.toString('hex')]).status === 0;
}

test('an interruption before the first is replaced changes none', async () => {
  await expect(replace(['a', 'b'], AbortSignal.abort())).rejects.toThrow();
  expect([read('a'), read('b')]).toEqual(['old', 'old']);
  expect(readdirSync(folder).sort()).toEqual(['a', 'b', 'c']);
});
