import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from '../../test/build-in-memory.js';
import { diffLookups } from '../diff/diff-lookups.js';
import { openLookup } from '../mmdb/open-lookup.js';
import { ParsedLookup } from '../mmdb/parsed-lookup.js';
import { buildLookup, type BuildRequest } from './build-lookup.js';

const folder = mkdtempSync(join(tmpdir(), 'iplookup-of-lookup-'));
afterAll(() => rmSync(folder, { recursive: true }));

const FLAT = build(
  'network,country,asn,hosting,lat,note\n10.0.0.0/8,XA,64500,true,-1.5,"a, b"\n2001:db8::/32,XB,,false,48,\n192.0.2.1-192.0.2.6,XC,0,,,"""q"""\n',
  { inputFormat: 'cidr', columnTypes: Object.entries({ asn: 'uint32', hosting: 'boolean', lat: 'double' }) },
).bytes;

async function rebuild(source: Uint8Array, name: string, options: Partial<BuildRequest> = {}) {
  const input = join(folder, name);
  writeFileSync(input, source);
  const out = mkdtempSync(join(folder, 'out-'));
  const { file, lookup } = await buildLookup({ kind: 'csv', buildEpoch: 1, input, folder: out, ...options });
  return { lookup, bytes: readFileSync(file) };
}

test.each([
  ['source.mmdb', FLAT],
  ['source.mmdb.gz', gzipSync(FLAT)],
])('a lookup of %s has the same values, types and networks', async (name, source) => {
  const { lookup, bytes } = await rebuild(source, name);
  expect(lookup).toBe('source');
  const compared = diffLookups(new ParsedLookup(FLAT), new ParsedLookup(bytes), 9);
  expect(compared.differences).toEqual([]);
  expect(openLookup(bytes).find('10.1.1.1')).toEqual({
    country: 'XA',
    asn: 64500,
    hosting: true,
    lat: -1.5,
    note: 'a, b',
  });
});

test('its columns are kept, renamed, typed and added to like those of a CSV file', async () => {
  const { bytes } = await rebuild(FLAT, 'source.mmdb', {
    lookupName: 'other',
    keepColumns: ['country', 'asn'],
    rename: [['country', 'country_code']],
    columnTypes: [['asn', 'string']],
    set: [['source', 'base']],
  });
  expect(openLookup(bytes).find('10.1.1.1')).toEqual({ country_code: 'XA', asn: '64500', source: 'base' });
});

test('MaxMind’s records stay as they are, or are made of flat ones', async () => {
  const nested = build('network,country_code,latitude,asn\n10.0.0.0/8,XA,1,AS64500\n', {
    inputFormat: 'cidr',
    schema: 'geoip2',
  }).bytes;
  const again = await rebuild(nested, 'nested.mmdb', { schema: 'geoip2' });
  expect(diffLookups(new ParsedLookup(nested), new ParsedLookup(again.bytes), 9).differences).toEqual([]);
  const made = await rebuild(FLAT, 'source.mmdb', {
    schema: 'geoip2',
    keepColumns: ['country', 'asn'],
    rename: [['country', 'country_code']],
  });
  expect(openLookup(made.bytes).find('10.1.1.1')).toEqual({
    country: { iso_code: 'XA' },
    traits: { autonomous_system_number: 64500 },
  });
});

test('a damaged lookup is named', async () => {
  copyFileSync(new URL(import.meta.url), join(folder, 'other.mmdb'));
  const request = { kind: 'csv', buildEpoch: 1, input: join(folder, 'other.mmdb'), folder } as const;
  await expect(buildLookup(request)).rejects.toThrow(/other\.mmdb: /);
});

test.each([
  ['200 times as large', { maxRatio: 200, maxLookupBytes: 2 ** 30 }],
  ['larger than 2097152 bytes', { maxRatio: 200_000, maxLookupBytes: 2 << 20 }],
])('a gzipped lookup that becomes %s is rejected', async (reason, limits) => {
  const bomb = gzipSync(Buffer.alloc(8 << 20));
  const options = { limits: { maxBytes: Infinity, maxRows: Infinity, ...limits } };
  await expect(rebuild(bomb, 'bomb.mmdb.gz', options)).rejects.toThrow(`bomb.mmdb.gz becomes`);
  await expect(rebuild(bomb, 'bomb.mmdb.gz', options)).rejects.toThrow(reason);
  await expect(rebuild(gzipSync(FLAT), 'source.mmdb.gz', options)).resolves.toBeDefined();
});
