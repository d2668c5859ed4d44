import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildLookup } from '@svc/iplookup-core';
import { openZones } from '../src/audit/zones.js';
import { DATABASE_START_MS } from './on-both-databases.js';
import { runRegistry } from './running-registry.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audit-'));
});
afterEach(async () => rm(folder, { recursive: true }));

async function makeLookup(gzip: boolean): Promise<string> {
  const input = join(folder, 'zones.csv');
  await writeFile(input, 'ip_from,ip_to,zone,floor\n127.0.0.0,127.255.255.255,office,2\n');
  const { file } = await buildLookup({
    ...{ kind: 'csv', input, folder, gzip, buildEpoch: 1_790_000_000 },
    inputFormat: 'ipv4',
  });
  return file;
}

test(
  'a lookup file tells the access log where the caller is',
  async () => {
    const registry = await runRegistry({
      AUDIT_IP_LOOKUP: await makeLookup(false),
      TRUSTED_PROXIES: '127.0.0.1',
    });
    await registry.ask('GET', '/client');
    await registry.ask('GET', '/client', { headers: { 'x-forwarded-for': '192.0.2.1' } });
    const zones = registry
      .logged()
      .split('\n')
      .filter((line) => line.includes('"msg":"request"'))
      .map((line) => JSON.parse(line) as { address: string; zone?: unknown })
      .map(({ address, zone }) => [address, zone]);
    expect(zones).toEqual([
      ['127.0.0.1', { zone: 'office', floor: '2' }],
      ['192.0.2.1', undefined],
    ]);
    await registry.close();
  },
  DATABASE_START_MS,
);

test.each([
  ['as it is', false],
  ['gzipped', true],
])('a lookup file %s tells where an address lies', async (_case, gzip) => {
  const zones = openZones(await makeLookup(gzip));
  expect(zones.zoneOf('127.0.0.1')).toEqual({ zone: 'office', floor: '2' });
  expect(zones.zoneOf('192.0.2.1')).toBeUndefined();
});
