import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAtMostSync, describeReadError, readFileAtMost } from './read-at-most.js';

const input = { stdin: process.stdin, signal: new AbortController().signal };
let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'read-at-most-'));
  path = join(folder, 'file');
});

afterEach(() => rmSync(folder, { recursive: true }));

test('a file of just the limit is read, a byte more is not', async () => {
  writeFileSync(path, 'x'.repeat(1_024));
  expect((await readFileAtMost(path, 1_024, input)).toString()).toBe('x'.repeat(1_024));
  expect(readAtMostSync(path, 1_024).toString()).toBe('x'.repeat(1_024));
  writeFileSync(path, 'x'.repeat(1_025));
  await expect(readFileAtMost(path, 1_024, input)).rejects.toThrow('it is larger than 1 KiB');
  expect(() => readAtMostSync(path, 1_024)).toThrow('it is larger than 1 KiB');
});

test('an endless device is read up to the limit', async () => {
  await expect(readFileAtMost('/dev/zero', 1_048_576, input)).rejects.toThrow('it is larger than 1 MiB');
  expect(() => readAtMostSync('/dev/zero', 1_048_576)).toThrow('it is larger than 1 MiB');
});

test.each([
  ['in time', (name: string) => readFileAtMost(name, 100, input)],
  ['at once', async (name: string) => readAtMostSync(name, 100)],
])('a pipe is read to its end, whatever the pieces: %s', async (_case, read) => {
  execFileSync('mkfifo', [path]);
  const writer = spawn('sh', ['-c', `{ printf one; sleep 0.1; printf two; } > ${path}`]);
  const ended = once(writer, 'close');
  expect((await read(path)).toString()).toBe('onetwo');
  await ended;
});

test.each([
  ['no file', () => readAtMostSync(path, 1), 'the file does not exist'],
  ['a folder', () => readAtMostSync(folder, 1), 'it is a folder'],
])('%s is described in words', (_case, read, words) => {
  let description: unknown;
  try {
    read();
  } catch (error) {
    description = describeReadError(error);
  }
  expect(description).toBe(words);
});
