import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadPeppers } from './peppers.js';

let DATA_DIR: string;
beforeEach(async () => {
  DATA_DIR = await mkdtemp(join(tmpdir(), 'peppers-'));
});
afterEach(async () => rm(DATA_DIR, { recursive: true }));

const load = async () => loadPeppers({ DATA_DIR, SECRET_PEPPER: undefined });

test('a pepper is created once and reused', async () => {
  const [made] = await load();
  expect(made.length).toBeGreaterThanOrEqual(32);
  expect(await load()).toEqual([made]);
});

test.each(['', 'p'.repeat(31)])('a file that holds %j is refused, with what to do', async (text) => {
  await writeFile(join(DATA_DIR, 'secret-pepper'), `${text}\n`, { mode: 0o600 });
  await expect(load()).rejects.toThrow(
    /secret-pepper must contain at least 32 characters; restore it from its backup, or remove it/,
  );
});
