import { execFile, execFileSync } from 'node:child_process';
import {
  closeSync,
  fstatSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { writeFileAtomically } from './write-file-atomically.js';
import { writeOutput } from './write-output.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'output-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

async function* content(): AsyncGenerator<Uint8Array> {
  for (let part = 0; part < 3; part++) yield Buffer.alloc(100_000, `part ${part}\n`);
}

const TEXT = [0, 1, 2].map((part) => Buffer.alloc(100_000, `part ${part}\n`).toString()).join('');

function makePipe(): string {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  return pipe;
}

async function readPipe(pipe: string): Promise<Buffer> {
  const { stdout } = await promisify(execFile)('cat', [pipe], { encoding: 'buffer', maxBuffer: 1 << 20 });
  return stdout;
}

test.each([false, true])('a pipe gets the content, and stays a pipe; gzipped: %s', async (gzip) => {
  const pipe = makePipe();
  const [read] = await Promise.all([readPipe(pipe), writeOutput(pipe, content(), { gzip })]);
  expect((gzip ? gunzipSync(read) : read).toString() === TEXT).toBe(true);
  expect(lstatSync(pipe).isFIFO()).toBe(true);
});

test('so does a pipe behind a link', async () => {
  const link = join(folder, 'link');
  symlinkSync(makePipe(), link);
  const [read] = await Promise.all([readPipe(link), writeOutput(link, content(), { gzip: false })]);
  expect(read.toString() === TEXT).toBe(true);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
});

test('an open file, by its descriptor, gets the content in its place', async () => {
  const path = join(folder, 'open');
  const descriptor = openSync(path, 'w');
  try {
    writeSync(descriptor, 'before\n');
    await writeOutput(`/proc/self/fd/${descriptor}`, content(), { gzip: false });
    writeSync(descriptor, 'after\n');
    expect(readFileSync(path, 'utf8') === `before\n${TEXT}after\n`).toBe(true);
    expect(fstatSync(descriptor).ino).toBe(lstatSync(path).ino);
  } finally {
    closeSync(descriptor);
  }
});

test('a pipe that nothing reads can be given up', async () => {
  const ended = AbortSignal.timeout(50);
  await expect(writeOutput(makePipe(), content(), { gzip: false, signal: ended })).rejects.toThrow(
    'The operation was aborted',
  );
});

test('a pipe whose reader ends is reported', async () => {
  const pipe = makePipe();
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) yield Buffer.alloc(1 << 20);
  }
  const reading = promisify(execFile)('head', ['-c', '10', pipe]);
  await expect(writeOutput(pipe, endless(), { gzip: false })).rejects.toThrow(
    `${pipe} cannot be written: the program that read it has ended`,
  );
  await reading;
});

test('a file that must be replaced as a whole does not replace a pipe', async () => {
  const pipe = makePipe();
  await expect(writeFileAtomically(pipe, content(), { gzip: false })).rejects.toThrow(
    `${pipe} cannot be written: it is a pipe, not a file`,
  );
  expect(lstatSync(pipe).isFIFO()).toBe(true);
});
