import type { StoredNode } from '@svc/library-sync';
import type { LookupFile } from '../files/lookup-files.js';
import { announce, staleAnnouncements, withdraw } from './plan-announcements.js';

const GEO: LookupFile = {
  name: 'geo',
  file: 'geo.mmdb',
  bytes: 9,
  modified: '2026-01-01T00:00:00.000Z',
  gzip: false,
};
const BASE = 'https://commander.example.com';

const node = (path: string, data: string | object, version = 4): StoredNode => ({
  area: 'library',
  path,
  data: Buffer.from(typeof data === 'string' ? data : JSON.stringify(data)),
  version,
  kind: 'file',
  hidesOthers: false,
});
const nodes = (...all: StoredNode[]) => new Map(all.map((each) => [each.path, each]));

const first = (base?: string) => {
  const [stale] = staleAnnouncements([GEO], nodes(), base);
  return announce(stale!, 'abc', base) as { readonly data: Uint8Array };
};
const dataOf = ({ data }: { readonly data: Uint8Array }) =>
  JSON.parse(Buffer.from(data).toString()) as object;

test('a new lookup is announced as version 1, with the URL of its file', () => {
  expect(first(BASE)).toMatchObject({ type: 'create', area: 'library', path: 'geo', kind: 'file' });
  expect(dataOf(first(BASE))).toEqual({
    name: 'geo',
    version: 1,
    file: 'geo.mmdb',
    sha256: 'abc',
    bytes: 9,
    modified: GEO.modified,
    url: `${BASE}/iplookup/geo.mmdb`,
  });
  expect(dataOf(first())).not.toHaveProperty('url');
});

test('the URL is that of a file with any name', () => {
  const stale = { lookup: { ...GEO, file: 'geo #1?.mmdb' }, node: undefined, former: undefined };
  expect(dataOf(announce(stale, 'abc', BASE) as { readonly data: Uint8Array })).toMatchObject({
    url: `${BASE}/iplookup/geo%20%231%3F.mmdb`,
  });
});

test('an announcement stays until its file changes, and then counts on', () => {
  const announced = nodes(node('geo', dataOf(first())));
  expect(staleAnnouncements([GEO], announced, undefined)).toEqual([]);
  const [stale] = staleAnnouncements([{ ...GEO, bytes: 10 }], announced, undefined);
  const write = announce(stale!, 'def', undefined) as { readonly data: Uint8Array };
  expect(write).toMatchObject({ type: 'update', path: 'geo', version: 4 });
  expect(dataOf(write)).toMatchObject({ version: 2, sha256: 'def', bytes: 10 });
});

test.each<[string, Partial<LookupFile>, string | undefined]>([
  ['time', { modified: '2026-01-01T00:00:00.001Z' }, undefined],
  ['form', { file: 'geo.mmdb.gz' }, undefined],
  ['URL', {}, BASE],
])('another %s makes another announcement', (_what, change, base) => {
  expect(staleAnnouncements([{ ...GEO, ...change }], nodes(node('geo', dataOf(first()))), base)).toHaveLength(
    1,
  );
});

test.each(['', 'no JSON', '{}', '{"version":"1"}', 'null'])('a node with %j is written anew', (data) => {
  const [stale] = staleAnnouncements([GEO], nodes(node('geo', data)), undefined);
  expect(dataOf(announce(stale!, 'abc', undefined) as { readonly data: Uint8Array })).toMatchObject({
    version: 1,
  });
});

test('the announcement of a lookup that is gone is taken back; other nodes stay', () => {
  const all = nodes(node('geo', dataOf(first())), node('notes', 'of others'), node('copy', dataOf(first())));
  expect(withdraw([], all)).toEqual([{ type: 'remove', area: 'library', path: 'geo', version: 4 }]);
  expect(withdraw([GEO], all)).toEqual([]);
});
