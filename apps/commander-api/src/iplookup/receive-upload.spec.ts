import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { receiveUpload } from './receive-upload.js';

const LIMITS = { maxBytes: 100, totalMs: 10_000, idleMs: 10_000 };
const folder = () => mkdtempSync(join(tmpdir(), 'svccmd-upload-'));

async function refusal(
  body: Readable,
  limits = LIMITS,
  announced?: number,
): Promise<[number, string, string[]]> {
  const path = folder();
  try {
    await receiveUpload(path, body, announced, limits);
  } catch (error) {
    const { status, message } = error as { status: number; message: string };
    return [status, message, readdirSync(path)];
  }
  throw new Error('it was accepted');
}

test('a body becomes a file that only its owner can read', async () => {
  const file = await receiveUpload(
    folder(),
    Readable.from([Buffer.from('a'), Buffer.from('b')]),
    undefined,
    LIMITS,
  );
  expect(readFileSync(file, 'utf8')).toBe('ab');
});

test('what is announced or becomes too large is refused, and nothing is left', async () => {
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

test('a sender that falls silent is refused', async () => {
  const silent = new PassThrough();
  silent.write(Buffer.alloc(1));
  expect(await refusal(silent, { ...LIMITS, idleMs: 50 })).toEqual([408, 'The input came too slowly.', []]);
});

test('a sender that goes on for ever is refused', async () => {
  const slow = new PassThrough();
  const drip = setInterval(() => slow.write(Buffer.alloc(1)), 20);
  expect(await refusal(slow, { ...LIMITS, totalMs: 200 })).toEqual([408, 'The input came too slowly.', []]);
  clearInterval(drip);
});

test('a slow sender within the limits is waited for', async () => {
  const slow = new PassThrough();
  const path = receiveUpload(folder(), slow, undefined, { ...LIMITS, idleMs: 500 });
  for (const part of ['a', 'b', 'c']) {
    slow.write(part);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  slow.end();
  expect(readFileSync(await path, 'utf8')).toBe('abc');
});
