import { copyFileSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLookup } from '@svc/iplookup-core';
import { type LookupFolder, makeLookupFolder, removeLookupFolders } from './lookup-folder.js';
import { problem, startLookupServer } from './lookup-server.js';

afterAll(removeLookupFolders);

let folder: LookupFolder;

beforeEach(() => {
  folder = makeLookupFolder();
  mkdirSync(folder.lookups);
  folder.write('nested.csv', 'network,country_code\n10.0.0.0/8,CZ\n');
  folder.write('flat.csv', 'network,country\n10.0.0.0/8,DE\n');
});

const NESTED = { explained: 'country.iso_code: CZ  (nested.csv)', record: { country: { iso_code: 'CZ' } } };
const FLAT = { explained: 'country: DE  (flat.csv)', record: { country: 'DE' } };

test.each([
  ['override', 'nested', 'flat', FLAT],
  ['override', 'flat', 'nested', NESTED],
  ['fill', 'nested', 'flat', NESTED],
  ['fill', 'flat', 'nested', FLAT],
])('explain shows what is in the record: %s, %s below %s', async (merge, lower, upper, expected) => {
  const layer = (name: string) =>
    `source: ${name}.csv, input_ip_format: cidr${name === 'nested' ? ', schema: geoip2' : ''}`;
  const declared = `lookups: {geo: {layers: [{${layer(lower)}}, {${layer(upper)}, merge: ${merge}}]}}`;
  folder.declare(declared);
  expect((await folder.run('sync')).code).toBe(0);
  const { stdout } = await folder.run('explain', 'geo', '10.0.0.1');
  // Without their lines: sources this new may be about to change.
  expect(stdout.trimEnd().replace(/:\d+\)$/, ')')).toBe(expected.explained);
  const lookup = openLookup(readFileSync(join(folder.lookups, 'geo.mmdb')));
  expect(lookup.find('10.0.0.1')).toEqual(expected.record);
});

test.each([
  ['a row of its own', '::/0,ZZ\n192.0.2.0/24,US\n', 'ZZ', 'base'],
  ['the same record as all of IPv4', '::/0,ZZ\n', 'DE', 'own'],
  ['no row', '192.0.2.0/24,US\n', 'DE', 'own'],
])(
  'explain of a 6to4 address shows what is in the record: below, %s',
  async (_what, rows, country, source) => {
    folder.write('base.csv', `network,country\n${rows}`);
    folder.write('own.csv', 'network,country\n10.1.0.0/16,DE\n');
    const layer = (name: string) => `{source: ${name}.csv, input_ip_format: cidr}`;
    folder.declare(`lookups: {geo: {layers: [${layer('base')}, ${layer('own')}]}}`);
    expect((await folder.run('sync')).code).toBe(0);
    const lookup = openLookup(readFileSync(join(folder.lookups, 'geo.mmdb')));
    expect(lookup.find('2002:a01:203::1')).toEqual({ country });
    const { stdout } = await folder.run('explain', 'geo', '2002:a01:203::1');
    expect(stdout).toMatch(new RegExp(`^country: ${country}  \\(${source}\\.csv(:2)?\\)\n$`));
  },
);

test('sources that were written just before the sync, or touched after it, have not changed', async () => {
  folder.write('base.csv', 'network,country\n10.0.0.0/8,CZ\n');
  await folder.run('from-csv', 'base.csv', '-i', 'cidr');
  copyFileSync(join(folder.lookups, 'base.mmdb'), join(folder.path, 'in', 'base.mmdb'));
  folder.write('own.csv', 'network,site\n10.1.0.0/16,Depot\n');
  const layers = '[{source: base.mmdb}, {source: own.csv, input_ip_format: cidr}]';
  folder.declare(`lookups: {geo: {layers: ${layers}}}`);
  expect((await folder.run('sync')).code).toBe(0);
  const expected = 'country: CZ  (base.mmdb)\nsite: Depot  (own.csv:2)\n';
  expect((await folder.run('explain', 'geo', '10.1.2.3')).stdout).toBe(expected);
  for (const name of ['base.mmdb', 'own.csv']) utimesSync(join(folder.path, 'in', name), 1e9, 1e9);
  expect((await folder.run('explain', 'geo', '10.1.2.3')).stdout).toBe(expected);
  folder.write('own.csv', 'network,site\n10.1.0.0/16,Store\n');
  const after = await folder.run('explain', 'geo', '10.1.2.3');
  expect(after.stdout).toBe('country: CZ  (base.mmdb)\nsite: Depot  (own.csv)\n');
  folder.write('base.mmdb', '');
  expect(await folder.run('explain', 'geo', '10.1.2.3')).toMatchObject({
    code: 1,
    stderr: 'svccmd: base.mmdb has changed since geo was built\n',
  });
});

test('over HTTP it is the same, without the folders of sources', async () => {
  const outside = join(folder.path, 'outside.csv');
  writeFileSync(outside, 'network,site\n10.1.0.0/16,Depot\n');
  const longAgo = new Date('2026-01-01');
  for (const path of [outside, join(folder.path, 'in', 'flat.csv')]) utimesSync(path, longAgo, longAgo);
  const layers = (own: string) =>
    `{layers: [{source: flat.csv, input_ip_format: cidr}, {source: ${own}, input_ip_format: cidr}]}`;
  folder.declare(`lookups: {geo: ${layers(outside)}}`);
  expect((await folder.run('sync')).code).toBe(0);
  await folder.run('from-csv', 'flat.csv', '-i', 'cidr');
  const server = await startLookupServer(folder);
  try {
    const explain = async (lookup: string, address: string) => server.send(`/${lookup}/explain/${address}`);
    const answer = await explain('geo', '10.1.2.3');
    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        lookup: 'geo',
        ip: '10.1.2.3',
        values: [
          { column: 'country', value: 'DE', source: 'flat.csv', line: 2 },
          { column: 'site', value: 'Depot', source: 'outside.csv', line: 2 },
        ],
      },
    ]);
    expect(await (await explain('geo.mmdb', '192.0.2.1')).json()).toMatchObject({ values: [] });
    expect(await problem(explain('geo', 'nowhere'))).toEqual([400, expect.stringContaining('nowhere')]);
    expect(await problem(explain('flat', '10.1.2.3'))).toEqual([
      404,
      'flat.mmdb is not built from declared sources.',
    ]);
    expect(await problem(explain('none', '10.1.2.3'))).toEqual([404, expect.any(String)]);
    folder.declare('lookups: {geo: {layers: [{source: nested.csv, input_ip_format: cidr}]}}');
    expect(await problem(explain('geo', '10.1.2.3'))).toEqual([
      409,
      expect.stringContaining('geo was not built as it is declared now'),
    ]);
    folder.declare('lookups: {geo: {layers: none}}');
    const [status, detail] = await problem(explain('geo', '10.1.2.3'));
    expect([status, detail.includes(folder.path)]).toEqual([500, false]);
  } finally {
    await server.stop();
  }
});
