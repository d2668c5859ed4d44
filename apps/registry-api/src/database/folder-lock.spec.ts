import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderInUseError, lockFolder } from './folder-lock.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-'));
});
afterEach(async () => rm(folder, { recursive: true }));

test('a locked folder rejects the next process, with a remedy', async () => {
  const release = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toThrow(FolderInUseError);
  await expect(lockFolder(folder)).rejects.toThrow(/own DATA_DIR/);
  await release();
});

test('a released folder is free and contains no leftovers', async () => {
  await (
    await lockFolder(folder)
  )();
  expect(await readdir(folder)).toEqual([]);
  await (
    await lockFolder(folder)
  )();
});

test('of several concurrent processes, one gets the lock', async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => lockFolder(folder)));
  const releases = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  expect(releases).toHaveLength(1);
  await releases[0]?.();
});

test('the lock of a process that was killed is stale', async () => {
  const script = `require('net').createServer().listen(process.argv[1], () => console.log('listening'))`;
  const child = spawn(process.execPath, ['-e', script, join(folder, 'lock')]);
  await once(child.stdout, 'data');
  await expect(lockFolder(folder)).rejects.toThrow(FolderInUseError);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await readdir(folder)).toEqual(['lock']);
  await (
    await lockFolder(folder)
  )();
});
