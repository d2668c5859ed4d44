import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLookup } from '@svc/iplookup-core';
import { type LookupFolder, makeLookupFolder, removeLookupFolders } from './lookup-folder.js';

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
