import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@svc/service-kit';
import { AuditLog } from '../audit/audit-log.js';
import { changeTokenFile, readTokenFile } from './change-tokens.js';
import { createToken, revokeToken, type TokenRights } from './create-token.js';
import { LastUseRecorder, readLastUses } from './last-uses.js';
import { StoredTokens } from './stored-tokens.js';
import { hashToken, parseTokenFile, tokenFileText } from './token-file.js';

const NOW = Date.parse('2026-11-24T12:34:56Z');
const DAY = 86_400_000;
const { signal } = new AbortController();
const RIGHTS: TokenRights = {
  name: 'ci',
  scopes: ['library:read'],
  libraries: ['parsers'],
  lookups: [],
  expiresInMs: DAY,
};
const change = (nowMs = NOW) => ({ by: 'root@host', nowMs });

let folder: string;
let file: string;
let lines: { event?: string; msg: string; [member: string]: unknown }[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-tokens-'));
  file = join(folder, 'svccmd.tokens.json');
  lines = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

const add = async (rights: Partial<TokenRights> = {}, nowMs = NOW) =>
  changeTokenFile(
    file,
    (tokens) => {
      const { tokens: changed, ...result } = createToken(tokens, { ...RIGHTS, ...rights }, change(nowMs));
      return { tokens: changed, result };
    },
    signal,
  );

const revoke = async (which: string, nowMs = NOW) =>
  changeTokenFile(
    file,
    (tokens) => {
      const { tokens: changed, token } = revokeToken(tokens, which, change(nowMs));
      return { tokens: changed, result: token };
    },
    signal,
  );

async function open(): Promise<StoredTokens> {
  const write = (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]);
  const logger = createLogger('commander-api', 'info', { write });
  return StoredTokens.open(file, new AuditLog(logger), logger);
}

const audited = () => lines.filter(({ msg }) => msg === 'audit');

test('the file has mode 0600 and the hash of the value, never the value', async () => {
  const { value, token } = await add();
  expect(value).toMatch(/^svcc_[\w-]{43}$/);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const text = readFileSync(file, 'utf8');
  expect(text).not.toContain(value);
  expect(JSON.parse(text)).toEqual({
    version: 1,
    tokens: [
      {
        id: token.id,
        name: 'ci',
        scopes: ['library:read'],
        libraries: ['parsers'],
        lookups: [],
        sha256: hashToken(value),
        created_at: '2026-11-24T12:34:56.000Z',
        created_by: 'root@host',
        expires_at: '2026-11-25T12:34:56.000Z',
      },
    ],
  });
  expect(existsSync(`${file}.lock`)).toBe(false);
});

test('a token is valid until it expires', async () => {
  const { value, token } = await add();
  const tokens = await open();
  expect(tokens.verify(value, NOW + DAY - 1)).toEqual({
    id: token.id,
    name: 'ci',
    scopes: ['library:read'],
    libraries: ['parsers'],
    lookups: [],
  });
  expect(tokens.verify(value, NOW + DAY)).toBeUndefined();
  expect(tokens.explain(value, NOW + DAY)).toEqual({
    reason: 'expired',
    principal_id: token.id,
    principal: 'ci',
  });
  expect(tokens.verify(`${value}x`, NOW)).toBeUndefined();
  expect(tokens.explain(`${value}x`, NOW)).toEqual({ reason: 'unknown' });
});

test('changes of the file take effect and are recorded, with who made them', async () => {
  const tokens = await open();
  const { value, token } = await add({ expiresInMs: undefined });
  expect(tokens.verify(value)).toBeUndefined();
  await tokens.refresh();
  expect(tokens.verify(value)).toMatchObject({ name: 'ci' });
  await revoke('ci');
  await tokens.refresh();
  expect(tokens.verify(value)).toBeUndefined();
  expect(tokens.explain(value)).toMatchObject({ reason: 'revoked', principal_id: token.id });
  const by = { actor: 'command', principal: 'root@host', outcome: 'succeeded', target: token.id };
  const rights = { name: 'ci', scopes: ['library:read'], libraries: ['parsers'], lookups: [] };
  expect(audited()).toMatchObject([
    { event: 'token.created', ...by, details: rights },
    { event: 'token.revoked', ...by, details: { name: 'ci' } },
  ]);
  expect(JSON.stringify(lines)).not.toContain(value);
  expect(JSON.stringify(lines)).not.toContain(hashToken(value));
});

test('without the file its tokens are refused, which is recorded', async () => {
  const { value } = await add({ expiresInMs: undefined });
  const tokens = await open();
  rmSync(file);
  await tokens.refresh();
  expect(tokens.verify(value)).toBeUndefined();
  expect(audited()).toMatchObject([{ event: 'token.revoked', details: { name: 'ci' } }]);
});

test('while the file is damaged its tokens are refused, and the log says so once', async () => {
  const { value } = await add({ expiresInMs: undefined });
  const tokens = await open();
  const content = readFileSync(file);
  writeFileSync(file, '{');
  await tokens.refresh();
  await tokens.refresh();
  expect(tokens.verify(value)).toBeUndefined();
  const refusals = lines.filter(
    ({ msg }) =>
      msg === 'cannot use the file of API tokens; rejecting the tokens in it until it is restored or deleted',
  );
  expect(refusals).toMatchObject([
    { level: 'error', reason: expect.stringContaining('it is not JSON') as string },
  ]);
  writeFileSync(file, content);
  await tokens.refresh();
  expect(tokens.verify(value)).toMatchObject({ name: 'ci' });
  expect(audited()).toEqual([]);
});

test('the server does not start on a damaged file', async () => {
  writeFileSync(file, '[]');
  await expect(open()).rejects.toMatchObject({
    exitCode: 3,
    message: `${file}: the file of API tokens cannot be used: the file is not an object; restore it from a backup, or delete it, which revokes its tokens`,
  });
});

test('a file that the operator made readable for a group stays so', async () => {
  await add();
  chmodSync(file, 0o640);
  await add({ name: 'two' });
  expect(statSync(file).mode & 0o777).toBe(0o640);
});

/** On a busy machine, the others may hold the lock for longer than a writer waits. */
const addPatiently = async (name: string): Promise<void> => {
  try {
    await add({ name });
  } catch (error) {
    if (!String(error).endsWith('is changing it; try again')) throw error;
    await addPatiently(name);
  }
};

test('20 writers at once lose no token', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `ci-${index}`);
  await Promise.all(names.map(addPatiently));
  expect(
    readTokenFile(file)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(names.sort());
});

test('the lock of a process that was killed is taken over', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  await new Promise((resolve) => child.once('exit', resolve));
  const { hostname } = await import('node:os');
  const lock = { id: 'x', by: 'root@host', since: '', host: hostname(), pid: child.pid };
  writeFileSync(`${file}.lock`, JSON.stringify(lock));
  await add();
  expect(readTokenFile(file)).toHaveLength(1);
});

test('a name can be used again once its token has ended; ended tokens are forgotten after 30 days', async () => {
  const first = await add();
  await expect(add()).rejects.toThrow(
    'there is already a valid token named ci; revoke it, or choose another name',
  );
  await revoke(first.token.id);
  await add();
  expect(readTokenFile(file)).toHaveLength(2);
  await expect(revoke(first.token.id)).rejects.toThrow(/^no valid token has the id or name "[0-9a-f]{12}"/);
  await add({ name: 'later' }, NOW + 30 * DAY);
  expect(readTokenFile(file).map(({ name }) => name)).toEqual(['ci', 'later']);
});

test.each([
  ['a later version', { version: 2 }, /its version is not 1/],
  [
    'an unknown member, which may be a restriction',
    { tokens: [{ networks: [] }] },
    /token 1 has an unknown member/,
  ],
  ['an unknown scope', { tokens: [{ scopes: ['all'] }] }, /scopes of token 1 is invalid/],
  ['no libraries', { tokens: [{ libraries: undefined }] }, /libraries of token 1 is invalid/],
  ['a lookup with its ending', { tokens: [{ lookups: ['sites.mmdb'] }] }, /lookups of token 1 is invalid/],
  ['an end that is no time', { tokens: [{ expires_at: 'never' }] }, /expires_at of token 1 is invalid/],
  ['the same token twice', { tokens: [{}, {}] }, /two tokens have the same id or hash/],
  ['too many tokens', { tokens: Array.from({ length: 1001 }, () => ({})) }, /at most 1000 tokens/],
])(
  'a file with %s cannot be used',
  (_case, { version = 1, tokens = [] }: { version?: number; tokens?: object[] }, message) => {
    const [token] = createToken([], RIGHTS, change()).tokens;
    const text = JSON.stringify({ version, tokens: tokens.map((members) => ({ ...token, ...members })) });
    expect(() => parseTokenFile(text)).toThrow(message);
    expect(parseTokenFile(tokenFileText([token!]))).toEqual([token]);
  },
);

test('the last use is kept by the hour, and the later one of two servers', async () => {
  const [one, two] = [new LastUseRecorder(file), new LastUseRecorder(file)];
  one.note('a', NOW);
  one.note('gone', NOW);
  two.note('a', NOW + 3_600_000);
  two.note('b', NOW);
  await two.flush(['a', 'b']);
  await one.flush(['a', 'b']);
  expect([...readLastUses(file)]).toEqual([
    ['a', '2026-11-24T13:00:00.000Z'],
    ['b', '2026-11-24T12:00:00.000Z'],
  ]);
  expect(statSync(`${file}.used`).mode & 0o777).toBe(0o600);
});
