import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadAccessToken } from './access.js';

const http = (file: string, token?: string) =>
  ({
    address: '',
    port: 0,
    auth: 'token',
    token_file: file,
    ...(token === undefined ? {} : { token }),
  }) as const;

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-token-'));
  file = join(folder, 'svccmd.token');
});

afterEach(() => rmSync(folder, { recursive: true }));

test('the first start creates a file with 32 random bytes that only its owner can read', async () => {
  const token = await loadAccessToken(http(file));
  expect(token).toMatchObject({ file, made: true, exposed: false });
  expect(token.value).toMatch(/^[\w-]{43}$/);
  expect(readFileSync(file, 'utf8')).toBe(`${token.value}\n`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['svccmd.token']);
});

test('the next start uses it', async () => {
  const first = await loadAccessToken(http(file));
  expect(await loadAccessToken(http(file))).toEqual({ ...first, made: false });
});

test('processes that start at once end up with one token', async () => {
  const tokens = await Promise.all(Array.from({ length: 20 }, () => loadAccessToken(http(file))));
  expect(new Set(tokens.map(({ value }) => value)).size).toBe(1);
  expect(tokens.filter(({ made }) => made)).toHaveLength(1);
  expect(readdirSync(folder)).toEqual(['svccmd.token']);
});

test('a configured token creates no file', async () => {
  expect(await loadAccessToken(http(file, 'configured-token-1-0123456789-0123456789'))).toMatchObject({
    value: 'configured-token-1-0123456789-0123456789',
    file: undefined,
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('a world-readable file is noticed', async () => {
  writeFileSync(file, 'a-token-that-is-long-enough-0123456789\n');
  chmodSync(file, 0o644);
  expect(await loadAccessToken(http(file))).toMatchObject({ exposed: true });
});

test.each([
  ['empty', ''],
  ['too short', 'secretvalue'],
  ['of 31 characters', 'x'.repeat(31)],
  ['of characters that no header may hold', 'secretvalue with spaces\n'],
])('a token that is %s is refused without being shown', async (_case, content) => {
  writeFileSync(file, content);
  const error = await loadAccessToken(http(file)).catch((reason: Error) => reason);
  expect(error).toMatchObject({
    name: 'CommanderError',
    exitCode: 3,
    message: `${file}: a token needs at least 32 characters: letters, digits and - . _ ~ + / (RFC 6750); create one with openssl rand -hex 32, or delete the file: the next start creates one`,
  });
});

test('an endless device is not a token file', async () => {
  await expect(loadAccessToken(http('/dev/zero'))).rejects.toThrow(
    '/dev/zero: the token file cannot be read: it is larger than 64 KiB; set http.token_file to a place',
  );
});

test('an unwritable place is named, with the remedy', async () => {
  await expect(loadAccessToken(http('/dev/null/svccmd.token'))).rejects.toMatchObject({
    exitCode: 3,
    message: expect.stringMatching(/\/dev\/null\/svccmd\.token: .*http\.token_file/) as string,
  });
});
