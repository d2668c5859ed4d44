import { mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import type { CommanderError } from '../../errors/commander-error.js';
import { storeUpload } from './store-upload.js';

const LIMITS = { maxBytes: 100, totalMs: 10_000, idleMs: 10_000, spareBytes: 0 };
const root = mkdtempSync(join(tmpdir(), 'svccmd-uploads-'));
afterAll(() => rmSync(root, { recursive: true }));
const folder = () => mkdtempSync(join(root, 'upload-'));

async function refusal(
  body: Readable,
  limits = LIMITS,
  announced?: number,
): Promise<[number, string, string[]]> {
  const path = folder();
  try {
    await storeUpload(path, body, announced, limits);
  } catch (error) {
    const { answer, detail } = error as CommanderError;
    return [answer.status, detail, readdirSync(path)];
  }
  throw new Error('it was accepted');
}

test('a body becomes a file that only its owner can read', async () => {
  const file = await storeUpload(
    folder(),
    Readable.from([Buffer.from('a'), Buffer.from('b')]),
    undefined,
    LIMITS,
  );
  expect(readFileSync(file, 'utf8')).toBe('ab');
});

test('an input announced as, or turning out, too large is rejected, and nothing is left behind', async () => {
  expect(await refusal(Readable.from([]), LIMITS, 101)).toEqual([
    413,
    'The input is larger than 100 bytes.',
    [],
  ]);
  const endless = new PassThrough();
  endless.write(Buffer.alloc(101));
  expect(await refusal(endless)).toEqual([413, 'The input is larger than 100 bytes.', []]);
  expect(endless.destroyed).toBe(false);
});

test('an input of unknown size is rejected once disk space is low, and nothing is left behind', async () => {
  const { bavail, bsize } = statfsSync(tmpdir());
  const spareBytes = bavail * bsize - 16 * 2 ** 20;
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(2 ** 20);
    })(),
  );
  const limits = { ...LIMITS, maxBytes: 2 ** 30, spareBytes };
  expect(await refusal(endless, limits)).toEqual([
    507,
    'The disk with the lookup folder is almost full.',
    [],
  ]);
});

test('a write error is reported without the folder', async () => {
  const file = join(folder(), 'file');
  writeFileSync(file, '');
  const { message } = (await storeUpload(file, Readable.from([]), undefined, LIMITS).catch(
    (error: unknown) => error,
  )) as Error;
  expect(message).toBe('the folder of lookups cannot be written: its parent is not a folder');
});

test('a sender that falls silent is rejected', async () => {
  const silent = new PassThrough();
  silent.write(Buffer.alloc(1));
  expect(await refusal(silent, { ...LIMITS, idleMs: 50 })).toEqual([408, 'The upload was too slow.', []]);
});

test('an endless sender is rejected', async () => {
  const slow = new PassThrough();
  const drip = setInterval(() => slow.write(Buffer.alloc(1)), 20);
  expect(await refusal(slow, { ...LIMITS, totalMs: 200 })).toEqual([408, 'The upload was too slow.', []]);
  clearInterval(drip);
});

test('a slow sender within the limits is waited for', async () => {
  const slow = new PassThrough();
  const path = storeUpload(folder(), slow, undefined, { ...LIMITS, idleMs: 500 });
  for (const part of ['a', 'b', 'c']) {
    slow.write(part);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  slow.end();
  expect(readFileSync(await path, 'utf8')).toBe('abc');
});
