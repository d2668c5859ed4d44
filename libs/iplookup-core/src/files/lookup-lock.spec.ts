import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockLookup } from './lookup-lock.js';
import { removePartial } from './write-file-atomically.js';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lookup-lock-'));
  file = join(folder, 'sites.mmdb');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('only one of many holds the lock at a time, and nothing is left', async () => {
  let holders = 0;
  let most = 0;
  const hold = async () => {
    const lock = await lockLookup(file);
    most = Math.max(most, ++holders);
    await new Promise(setImmediate);
    holders--;
    await lock!.release();
  };
  await Promise.all(Array.from({ length: 5 }, hold));
  expect([most, readdirSync(folder)]).toEqual([1, []]);
});

test('the lock of a writer that was terminated is released, and no other one', async () => {
  await lockLookup(file, { writer: 'terminated' });
  await removePartial(folder, 'another');
  await expect(lockLookup(file, { signal: AbortSignal.timeout(300) })).rejects.toThrow('aborted');
  await removePartial(folder, 'terminated');
  await (await lockLookup(file))!.release();
  expect(readdirSync(folder)).toEqual([]);
});

test('a file that is not a lock is named, with the remedy', async () => {
  const lock = join(folder, '.sites.mmdb.lock');
  writeFileSync(lock, 'x');
  await expect(lockLookup(file)).rejects.toThrow(
    `${file} cannot be written: ${lock} is not a lock; remove it`,
  );
});
