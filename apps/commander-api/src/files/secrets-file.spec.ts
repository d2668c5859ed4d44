import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SecretsFile } from './secrets-file.js';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secrets-file-'));
  path = join(folder, 'secrets');
});

afterEach(() => rmSync(folder, { recursive: true }));

test('it is there with its content, for its owner only, and nothing else is', async () => {
  const file = await SecretsFile.prepare(path);
  await file.write('shh\n');
  await file.close();
  expect(readFileSync(path, 'utf8')).toBe('shh\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['secrets']);
});

test('what is prepared and not written leaves nothing', async () => {
  await (await SecretsFile.prepare(path)).close();
  expect(readdirSync(folder)).toEqual([]);
});

test('a file that is there is refused at once, and one that came meanwhile is kept', async () => {
  writeFileSync(path, 'mine');
  const refusal = {
    message: `${path}: cannot write the secrets there (it is there already, and is not overwritten)`,
  };
  await expect(SecretsFile.prepare(path)).rejects.toMatchObject(refusal);
  rmSync(path);
  const file = await SecretsFile.prepare(path);
  writeFileSync(path, 'mine');
  await expect(file.write('shh')).rejects.toMatchObject(refusal);
  await file.close();
  expect(readFileSync(path, 'utf8')).toBe('mine');
});

test('a place that cannot be written is refused before there is a secret', async () => {
  await expect(SecretsFile.prepare(join(folder, 'no', 'secrets'))).rejects.toThrow(/ENOENT/);
  mkdirSync(path);
  await expect(SecretsFile.prepare(path)).rejects.toThrow(/is there already/);
});
