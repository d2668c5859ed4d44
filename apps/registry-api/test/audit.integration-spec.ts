import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildLookup } from '@svc/iplookup-core';
import { LookupFile } from '../src/audit/lookup-file.js';
import { ask, pathOf, registration, type RunningRegistry, runRegistry } from './running-registry.js';

const OFFICE = { zone: 'office', floor: '2' };
const ROWS = ['127.0.0.0,127.255.255.255,office,2', '203.0.113.0,203.0.113.255,abroad,-'];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audit-'));
});
afterEach(async () => rm(folder, { recursive: true }));

/** Builds a lookup file as the commander does. */
async function makeLookup({
  rows = ROWS,
  gzip = false,
  name = 'zones',
  buildEpoch = 1_790_000_000,
} = {}): Promise<string> {
  const input = join(folder, `${name}.csv`);
  await writeFile(input, ['ip_from,ip_to,zone,floor', ...rows, ''].join('\n'));
  const { file } = await buildLookup({
    ...{ kind: 'csv', input, folder, gzip, buildEpoch },
    inputFormat: 'ipv4',
  });
  return file;
}

/** Behind a proxy at this machine, so that a request can come from anywhere. */
async function withRegistry(
  environment: Readonly<Record<string, string>>,
  use: (registry: RunningRegistry) => Promise<void>,
): Promise<void> {
  const registry = await runRegistry({ TRUSTED_PROXIES: '127.0.0.1', ...environment });
  try {
    await use(registry);
  } finally {
    await registry.close();
  }
}

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

function linesOf(registry: RunningRegistry, message: string): Record<string, unknown>[] {
  return registry
    .logged()
    .split('\n')
    .filter((line) => line.includes(`"msg":"${message}"`))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('the access log, the sign-in log and the history show the zones of addresses', async () => {
  await withRegistry({ AUDIT_IP_LOOKUP: await makeLookup() }, async (registry) => {
    const { body } = await registry.ask('POST', '/client', { body: registration() });
    const path = pathOf(body['client_id']);
    for (const address of ['192.0.2.1', '203.0.113.7', '::ffff:203.0.113.7']) {
      await registry.ask('PATCH', path, { body: { client_name: address }, ...from(address) });
    }
    const places = [
      ['::ffff:203.0.113.7', { zone: 'abroad', floor: '-' }],
      ['203.0.113.7', { zone: 'abroad', floor: '-' }],
      ['192.0.2.1', undefined],
      ['127.0.0.1', OFFICE],
    ];
    const { changes } = (await registry.ask('GET', `${path}/history`)).body as {
      changes: { actor: Record<string, unknown> }[];
    };
    expect(changes.map(({ actor }) => [actor['address'], actor['zone']])).toEqual(places);

    const requests = linesOf(registry, 'request').map(({ address, zone }) => [address, zone]);
    expect(requests).toEqual(expect.arrayContaining(places));
    const used = linesOf(registry, 'a token is in use');
    expect(used.map(({ address, zone }) => [address, zone]).reverse()).toEqual(places);
    expect(used[0]).toMatchObject({ principal: 'bootstrap', principal_id: expect.any(String) as string });
  });
});

test('each rejected token is logged with its origin, never with the token', async () => {
  await withRegistry({ AUDIT_IP_LOOKUP: await makeLookup() }, async (registry) => {
    await ask(`${registry.url}/client`, 'GET', 'svcr_guessed', from('203.0.113.7'));
    await fetch(`${registry.url}/client`);
    expect(linesOf(registry, 'sign-in rejected')).toEqual([
      expect.objectContaining({
        level: 'warn',
        reason: 'token',
        address: '203.0.113.7',
        zone: { zone: 'abroad', floor: '-' },
        request_id: expect.any(String) as string,
      }),
    ]);
    expect(registry.logged()).not.toContain('svcr_guessed');
  });
});

test('the sign-in log needs no lookup file', async () => {
  await withRegistry({}, async (registry) => {
    await registry.ask('GET', '/client');
    await registry.ask('GET', '/client');
    const used = linesOf(registry, 'a token is in use');
    expect(used).toMatchObject([{ principal: 'bootstrap', address: '127.0.0.1' }]);
    expect(used[0]).not.toHaveProperty('zone');
  });
});

test('the admin API is open only to the allowed zones', async () => {
  const environment = {
    AUDIT_IP_LOOKUP: await makeLookup(),
    ADMIN_ALLOWED_ZONES: 'office,floor=9,198.51.100.0/24',
    REGISTRATION: 'token',
  };
  await withRegistry(environment, async (registry) => {
    const statusFrom = async (address: string, path = '/client') =>
      (await registry.ask('GET', path, from(address))).status;
    for (const address of ['127.0.0.1', '::ffff:127.0.0.1', '198.51.100.7']) {
      expect([address, await statusFrom(address)]).toEqual([address, 200]);
    }
    for (const address of ['203.0.113.7', '192.0.2.1', '::1', '2001:db8::1', 'unknown']) {
      expect([address, await statusFrom(address)]).toEqual([address, 403]);
    }
    // What a caller puts before the proxy's own word is not believed.
    expect(await statusFrom('127.0.0.1, 203.0.113.7')).toBe(403);
    // What is looked for there needs no token, and is not for administrators.
    for (const path of ['/health/live', '/health/ready', '/openapi.json', '/ui/']) {
      expect([path, await statusFrom('203.0.113.7', path)]).toEqual([path, 200]);
    }
    for (const path of [
      '/token/self',
      '/metrics',
      '/clients/changes',
      '/clients/export',
      '/client/a/history',
    ]) {
      expect([path, await statusFrom('203.0.113.7', path)]).toEqual([path, 403]);
    }
    const registered = await registry.ask('POST', '/register', {
      body: registration(),
      ...from('203.0.113.7'),
    });
    expect(registered.status).toBe(201);
  });
});

test('callers elsewhere learn the reason, but not whether the token is valid', async () => {
  const environment = { AUDIT_IP_LOOKUP: await makeLookup(), ADMIN_ALLOWED_ZONES: 'office' };
  await withRegistry(environment, async (registry) => {
    const withToken = async (token: string) =>
      ask(`${registry.url}/client`, 'GET', token, from('203.0.113.7'));
    const answers = [await withToken(registry.token), await withToken('svcr_wrong')];
    for (const { status, headers, body } of answers) {
      expect({ status, type: headers.get('content-type') }).toEqual({
        status: 403,
        type: 'application/problem+json; charset=utf-8',
      });
      expect(body).toMatchObject({
        error: 'access_denied',
        detail:
          'The admin API cannot be used from 203.0.113.7, which is in none of the zones that the operator allows.',
      });
    }
    expect(linesOf(registry, 'sign-in rejected')).toMatchObject([
      { reason: 'zone', address: '203.0.113.7', zone: { zone: 'abroad' } },
      { reason: 'zone' },
    ]);
    const metrics = await fetch(`${registry.url}/metrics`, {
      headers: { authorization: `Bearer ${registry.token}` },
    });
    expect(await metrics.text()).toMatch(/^http_zone_refused_requests_total\{[^}]*\} 2$/m);
  });
});

test('a replaced lookup file takes effect; a broken one does not', async () => {
  const lookup = await makeLookup();
  await withRegistry(
    { AUDIT_IP_LOOKUP: lookup, ADMIN_ALLOWED_ZONES: 'office,127.0.0.1' },
    async (registry) => {
      const until = async (isReached: () => boolean) => {
        while (!isReached()) await sleep(20);
      };
      const statusFrom = async (address: string) =>
        (await registry.ask('GET', '/client', from(address))).status;
      expect(await statusFrom('203.0.113.7')).toBe(403);

      const moved = { rows: ['203.0.113.0,203.0.113.255,office,1'], name: 'new', buildEpoch: 1_800_000_000 };
      await rename(await makeLookup(moved), lookup);
      await until(() => linesOf(registry, 'loaded the new lookup file').length === 1);
      expect(await statusFrom('203.0.113.7')).toBe(200);

      await writeFile(`${lookup}.new`, 'not a lookup');
      await rename(`${lookup}.new`, lookup);
      const refused = 'cannot use the new lookup file; the previous one stays in use';
      await until(() => linesOf(registry, refused).length === 1);
      await rm(lookup);
      await until(() => linesOf(registry, refused).length === 2);
      expect(await statusFrom('203.0.113.7')).toBe(200);

      const metrics = await fetch(`${registry.url}/metrics`, {
        headers: { authorization: `Bearer ${registry.token}` },
      });
      const text = await metrics.text();
      expect(text).toMatch(/^ip_lookup_reloads_total\{outcome="loaded",[^}]*\} 1$/m);
      expect(text).toMatch(/^ip_lookup_reloads_total\{outcome="refused",[^}]*\} 2$/m);
      expect(text).toMatch(/^ip_lookup_build_timestamp_seconds\{[^}]*\} 1800000000$/m);
    },
  );
});

test.each([
  ['as it is', false],
  ['gzipped', true],
])('a lookup file %s tells where an address lies', async (_case, gzip) => {
  const lookup = new LookupFile(await makeLookup({ gzip }));
  expect(lookup.zoneOf('127.0.0.1')).toEqual(OFFICE);
  expect(lookup.zoneOf('::ffff:127.0.0.1')).toEqual(OFFICE);
  expect(lookup.zoneOf('192.0.2.1')).toBeUndefined();
  expect(lookup.zoneOf('fe80::1%eth0')).toBeUndefined();
  expect(lookup.zoneOf('nonsense')).toBeUndefined();
});

test('a lookup file is reread only when it was replaced', async () => {
  const lookup = new LookupFile(await makeLookup());
  expect(await lookup.refresh()).toBe(false);
  await rm(lookup.path);
  await expect(lookup.refresh()).rejects.toThrow(`${lookup.path} does not exist`);
  expect(await lookup.refresh()).toBe(false);
  expect(lookup.zoneOf('127.0.0.1')).toEqual(OFFICE);
  await makeLookup({ rows: ['127.0.0.1,127.0.0.1,moved,0'] });
  expect(await lookup.refresh()).toBe(true);
  expect(lookup.zoneOf('127.0.0.1')).toEqual({ zone: 'moved', floor: '0' });
});
