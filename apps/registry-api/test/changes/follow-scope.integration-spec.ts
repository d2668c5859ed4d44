import { ApiDocument } from '../api-document.js';
import { FollowedChanges } from './followed-changes.js';
import { DATABASE_START_MS } from '../on-both-databases.js';
import { ask, registration, type RunningRegistry, runRegistry } from '../running-registry.js';

/** Of the administrator, in the names of tokens. */
const MARK = 'zzadministrator';

let registry: RunningRegistry;
let follower: string;

beforeAll(async () => {
  registry = await runRegistry();
  const tokenWith = async (name: string, scopes: string[]) =>
    String((await registry.ask('POST', '/token', { body: { name, scopes } })).body['token']);
  const administrator = await tokenWith(MARK, ['clients:read', 'clients:write', 'tokens:write']);
  const body = registration({ preferred_client_id: 'shop' });
  await ask(`${registry.url}/client`, 'POST', administrator, { body });
  const wanted = { name: 'authorization server', scopes: ['clients:follow'] };
  const made = await ask(`${registry.url}/token`, 'POST', administrator, { body: wanted });
  expect(made.status).toBe(201);
  follower = String(made.body['token']);
}, DATABASE_START_MS);
afterAll(async () => registry.close());

const textWith = async (token: string, path: string): Promise<string> => {
  const response = await fetch(registry.url + path, { headers: { authorization: `Bearer ${token}` } });
  expect([path, response.status]).toEqual([path, 200]);
  return response.text();
};

test.each(['/clients/changes', '/clients/changes?newest=1', '/clients/export', '/client/shop'])(
  'with clients:follow %s has the Clients, but neither names nor addresses of administrators',
  async (path) => {
    const [whole, followed] = [await textWith(registry.token, path), await textWith(follower, path)];
    expect(whole).toContain(MARK);
    expect(followed).toContain('"client_id":"shop"');
    expect(followed).not.toContain(MARK);
    expect(followed).not.toContain('127.0.0.1');
  },
);

test('nor does the stream, next to one that has them', async () => {
  const read = async (token: string): Promise<string> => {
    const stream = await FollowedChanges.open(registry, token, { since: '0' });
    const changes = JSON.stringify(await stream.arrived(1));
    stream.close();
    return changes;
  };
  const [whole, followed] = await Promise.all([read(registry.token), read(follower)]);
  expect(whole).toContain(MARK);
  expect(followed).toContain('"client_id":"shop"');
  expect(followed).not.toContain(MARK);
  expect(followed).not.toContain('127.0.0.1');
});

test('every other route refuses clients:follow', async () => {
  const { operations } = await ApiDocument.of(registry);
  const allowed: string[] = [];
  for (const [operation, { 'x-required-scope': scope }] of operations) {
    if (scope === undefined) continue;
    const [method = '', path = ''] = operation.split(' ');
    const { status } = await ask(registry.url + path.replace(/\{\w+\}/, 'shop'), method, follower);
    if (status !== 403) allowed.push(operation);
  }
  expect(allowed.sort()).toEqual([
    'GET /client/features',
    'GET /client/{client_id}',
    'GET /clients/changes',
    'GET /clients/export',
  ]);
});
