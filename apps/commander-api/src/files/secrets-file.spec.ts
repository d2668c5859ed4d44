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

test('it is created with its content, readable only by its owner, and nothing else is', async () => {
  const file = await SecretsFile.prepare(path);
  await file.write('shh\n');
  await file.close();
  expect(readFileSync(path, 'utf8')).toBe('shh\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['secrets']);
});

test('a prepared file that is never written leaves nothing behind', async () => {
  await (await SecretsFile.prepare(path)).close();
  expect(readdirSync(folder)).toEqual([]);
});

test('an existing file is rejected at once, and nothing is left behind', async () => {
  writeFileSync(path, 'mine');
  await expect(SecretsFile.prepare(path)).rejects.toThrow(
    `${path}: cannot write the secrets to it (it already exists and is not overwritten)`,
  );
  expect(readdirSync(folder)).toEqual(['secrets']);
});

test('a file created meanwhile is kept, and the secrets are where the message says', async () => {
  const file = await SecretsFile.prepare(path);
  writeFileSync(path, 'mine');
  const { message } = (await file.write('shh').catch((error: Error) => error)) as Error;
  await file.close();
  expect(file.isRescued).toBe(true);
  const [, rescued = ''] =
    /: cannot write the secrets to it \(it already exists and is not overwritten\); they are in (.+)$/.exec(
      message,
    ) ?? [];
  expect(readFileSync(rescued, 'utf8')).toBe('shh');
  expect(statSync(rescued).mode & 0o777).toBe(0o600);
  expect(readFileSync(path, 'utf8')).toBe('mine');
});

test('an unwritable place is rejected before there is a secret', async () => {
  await expect(SecretsFile.prepare(join(folder, 'no', 'secrets'))).rejects.toThrow(
    /\(the folder does not exist: create it first\)$/,
  );
  mkdirSync(path);
  await expect(SecretsFile.prepare(path)).rejects.toThrow(/already exists/);
});
