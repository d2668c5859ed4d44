import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Reader } from '@maxmind/geoip2-node';
import { openLookup } from '@svc/iplookup-core';
import { type LookupFolder, makeLookupFolder, placeRows, removeLookupFolders } from './lookup-folder.js';
import { type LookupServer, problem, startLookupServer } from './lookup-server.js';

afterAll(removeLookupFolders);

const CSV = 'ip_from,ip_to,site\n10.0.0.0,10.0.255.255,Head office\n10.1.0.0,10.1.255.255,Warehouse\n';
const PX2 = '"16777216","16777471","PUB","XA","Exampland"\n';

let folder: LookupFolder;
let server: LookupServer;
let send: LookupServer['send'];
let post: LookupServer['post'];

beforeAll(async () => {
  folder = makeLookupFolder();
  folder.write('sites.csv', CSV);
  server = await startLookupServer(folder);
  ({ send, post } = server);
});

afterAll(async () => {
  expect(await server.stop()).toBe(0);
});

test('a file of the input folder becomes a lookup, the same as by the command line', async () => {
  const answer = await post('/from-csv', {
    file_name: 'sites.csv',
    input_ip_format: 'ipv4',
    lookup_name: 'sites',
  });
  expect(answer.status).toBe(200);
  const summary = await answer.json();
  expect(summary).toMatchObject({ lookup: 'sites', file: 'sites.mmdb', rows: 2, kept: 2, records: 2 });
  const byHttp = readFileSync(join(folder.lookups, 'sites.mmdb'));
  const { code } = await folder.run('from-csv', 'sites.csv', '-i', 'ipv4');
  expect(code).toBe(0);
  expect(readFileSync(join(folder.lookups, 'sites.mmdb')).equals(byHttp)).toBe(true);
});

test.each([
  ['plain', 'text/csv', (text: string) => Buffer.from(text)],
  ['gzipped', 'application/gzip', (text: string) => gzipSync(text)],
])('an input sent as the body, %s', async (_kind, type, encode) => {
  const query = new URLSearchParams({
    file_name: 'IP2LOCATION-LITE-DB11.CSV',
    include_ip_range: '',
    gzip: 'true',
  });
  const body = encode(placeRows(500, 4));
  const answer = await send(`/from-vendor?${query}`, {
    method: 'POST',
    headers: { 'content-type': type },
    body,
  });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ lookup: 'IP2LOCATION-LITE-DB11', rows: 501, dropped: 30 });
  const lookup = openLookup(gunzipSync(readFileSync(join(folder.lookups, 'IP2LOCATION-LITE-DB11.mmdb.gz'))));
  expect(lookup.find('1.0.4.1')).toMatchObject({ ip_from: '1.0.4.1', city_name: 'City 1' });
  const hidden = readdirSync(folder.lookups).filter((name) => name.startsWith('.'));
  expect(hidden.filter((name) => name !== '.history')).toEqual([]);
});

test.each([
  ['plain', 'text/csv', (text: string) => Buffer.from(text)],
  ['gzipped', 'application/gzip', (text: string) => gzipSync(text)],
])('a vendor’s input with any name, recognised by its rows, %s', async (kind, type, encode) => {
  const init = { method: 'POST', headers: { 'content-type': type } };
  const query = `lookup_name=by-rows-${kind}`;
  const answer = await send(`/from-vendor?${query}`, { ...init, body: encode('1.0.0.0,1.0.0.255,XA\n') });
  expect(answer.status).toBe(200);
  expect(await (await send(`/by-rows-${kind}/1.0.0.1`)).json()).toMatchObject({
    record: { country_code: 'XA' },
  });
  const rows = encode('1.0.0.0,1.0.0.255,XA\n1.0.1.0,1.0.1.255,\n');
  const counted = async (options: string) =>
    (await send(`/from-vendor?${query}&${options}`, { ...init, body: rows })).json();
  expect(await counted('keep_empty_rows=true')).toMatchObject({ rows: 2, kept: 2 });
  expect(await counted('empty_rows=all')).toMatchObject({ rows: 2, kept: 1, dropped: 1 });
  expect(
    await problem(send(`/from-vendor?${query}`, { ...init, body: encode('1.0.0.0,1.0.0.255,Depot\n') })),
  ).toEqual([400, expect.stringContaining('upload.csv is not a vendor file name')]);
});

test('a MaxMind database, sent as the body and by its name in the folder', async () => {
  const GEO = 'network,geoname_id,registered_country_geoname_id,represented_country_geoname_id\n';
  const PLACE = 'geoname_id,locale_code,continent_code,continent_name,country_iso_code,country_name\n';
  folder.writeZip('country.zip', {
    'GeoLite2-Country-Blocks-IPv4.csv': `${GEO}192.0.2.0/24,3,3,\n`,
    'GeoLite2-Country-Locations-en.csv': `${PLACE}3,en,EU,Europe,XC,Arcadia\n`,
    'GeoLite2-Country-Locations-de.csv': `${PLACE}3,de,EU,Europa,XC,Arkadien\n`,
  });
  const record = async (lookup: string) => (await send(`/${lookup}/192.0.2.1`)).json();
  const body = readFileSync(join(folder.path, 'in', 'country.zip'));
  const init = { method: 'POST', headers: { 'content-type': 'application/zip' }, body };
  const sent = await send('/from-maxmind?lookup_name=sent&language=de&force_ipv4', init);
  expect([sent.status, await sent.json()]).toEqual([200, expect.objectContaining({ rows: 1 })]);
  expect(await record('sent')).toMatchObject({
    record: { country: { iso_code: 'XC', names: { de: 'Arkadien' } } },
  });
  expect((await post('/from-maxmind', { file_name: 'country.zip', lookup_name: 'named' })).status).toBe(200);
  expect(await record('named')).toMatchObject({ record: { country: { names: { en: 'Arcadia' } } } });
  expect(await problem(send('/from-maxmind?lookup_name=sent&language=fr', init))).toEqual([
    400,
    'upload.zip has no names for language fr: use one of de, en',
  ]);
});

test('a lookup is listed, downloaded whole, by range and only when it changed', async () => {
  const { lookups } = (await (await send('')).json()) as { lookups: { name: string }[] };
  expect(lookups.find(({ name }) => name === 'sites')).toMatchObject({ file: 'sites.mmdb', gzip: false });
  const file = readFileSync(join(folder.lookups, 'sites.mmdb'));
  const whole = await send('/sites');
  expect(whole.status).toBe(200);
  expect(whole.headers.get('content-length')).toBe(String(file.length));
  expect(Buffer.from(await whole.arrayBuffer()).equals(file)).toBe(true);
  const etag = whole.headers.get('etag')!;
  expect((await send('/sites', { headers: { 'if-none-match': etag } })).status).toBe(304);
  const part = await send('/sites.mmdb', { headers: { range: 'bytes=10-19' } });
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-19/${file.length}`]);
  expect(Buffer.from(await part.arrayBuffer()).equals(file.subarray(10, 20))).toBe(true);
  const changed = await send('/sites', { headers: { range: 'bytes=10-19', 'if-range': '"other"' } });
  expect(changed.status).toBe(200);
  await changed.arrayBuffer();
  const beyond = await send('/sites', { headers: { range: `bytes=${file.length}-` } });
  expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${file.length}`]);
});

test('HEAD has the headers of GET, without a body', async () => {
  const file = readFileSync(join(folder.lookups, 'sites.mmdb'));
  const get = await send('/sites');
  await get.arrayBuffer();
  const head = await send('/sites', { method: 'HEAD', headers: { range: 'bytes=10-19' } });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(file.length)]);
  for (const header of ['etag', 'last-modified', 'accept-ranges', 'content-type', 'content-disposition'])
    expect(head.headers.get(header)).toBe(get.headers.get(header));
  expect((await head.arrayBuffer()).byteLength).toBe(0);
  const etag = get.headers.get('etag')!;
  const known = await send('/sites', { method: 'HEAD', headers: { 'if-none-match': etag } });
  expect([known.status, known.headers.get('content-length')]).toEqual([304, null]);
});

test("records in MaxMind's shape, and columns left out, by JSON and by query", async () => {
  folder.write('IP2PROXY-LITE-PX2.CSV', PX2);
  const refused = await problem(
    post('/from-vendor', { file_name: 'IP2PROXY-LITE-PX2.CSV', schema: 'geoip2' }),
  );
  expect(refused).toEqual([
    400,
    'IP2PROXY-LITE-PX2.CSV: row 1: schema geoip2 has no place for the column proxy_type: leave it out with drop_columns proxy_type',
  ]);
  const wanted = { file_name: 'IP2PROXY-LITE-PX2.CSV', schema: 'geoip2', drop_columns: ['proxy_type'] };
  expect((await post('/from-vendor', wanted)).status).toBe(200);
  const byJson = readFileSync(join(folder.lookups, 'IP2PROXY-LITE-PX2.mmdb'));
  expect(Reader.openBuffer(byJson).country('1.0.0.1').country?.isoCode).toBe('XA');
  const query = new URLSearchParams({ ...wanted, drop_columns: 'proxy_type' });
  const init = { method: 'POST', headers: { 'content-type': 'text/csv' }, body: PX2 };
  expect((await send(`/from-vendor?${query}`, init)).status).toBe(200);
  expect(readFileSync(join(folder.lookups, 'IP2PROXY-LITE-PX2.mmdb')).equals(byJson)).toBe(true);
});

test('columns are kept, renamed, typed and added, by JSON and by query', async () => {
  const csv = 'ip_from,ip_to,country,asn\n10.0.0.0,10.0.0.255,XA,AS64500\n';
  folder.write('columns.csv', csv);
  const options = { keep_columns: ['asn'], rename: ['asn=number'], types: ['asn=asn'], set: ['source=a, b'] };
  const wanted = { file_name: 'columns.csv', input_ip_format: 'ipv4', ...options };
  expect((await post('/from-csv', wanted)).status).toBe(200);
  const found = async () => ((await (await send('/columns/10.0.0.1')).json()) as { record: unknown }).record;
  expect(await found()).toEqual({ number: 64500, source: 'a, b' });
  const query = new URLSearchParams({ file_name: 'columns.csv', input_ip_format: 'ipv4', types: '' });
  query.append('rename', 'asn=number');
  query.append('rename', 'country=country_code');
  query.append('set', 'source=a, b');
  query.append('set', 'other=c');
  const init = { method: 'POST', headers: { 'content-type': 'text/csv' }, body: csv };
  const sent = await send(`/from-csv?${query}`, init);
  expect([sent.status, await sent.text()]).toEqual([200, expect.stringContaining('columns')]);
  expect(await found()).toEqual({ country_code: 'XA', number: 'AS64500', source: 'a, b', other: 'c' });
  const refused = await problem(post('/from-csv', { ...wanted, rename: ['asn'] }));
  expect(refused).toEqual([400, 'rename takes pairs such as country=country_code, but "asn" is not one']);
});

test('columns whose names contain blanks or commas are dropped, renamed and typed', async () => {
  folder.write('blanks.csv', 'network,Net Speed,"City, State",AS Number\n10.0.0.0/8,fast,Brno,64500\n');
  const common = { file_name: 'blanks.csv', input_ip_format: 'cidr' };
  const options = { drop_columns: ['Net Speed'], rename: ['City, State=city'], types: ['AS Number=uint32'] };
  expect((await post('/from-csv', { ...common, ...options })).status).toBe(200);
  const found = async () => ((await (await send('/blanks/10.0.0.1')).json()) as { record: unknown }).record;
  expect(await found()).toEqual({ city: 'Brno', 'AS Number': 64500 });
  const texts = { keep_columns: 'Net Speed, AS Number', rename: 'Net Speed=speed,AS Number=asn' };
  expect((await post('/from-csv', { ...common, ...texts })).status).toBe(200);
  expect(await found()).toEqual({ speed: 'fast', asn: '64500' });
  const named = {
    ...common,
    header: false,
    column_names: ['network', 'a b', 'c', 'd'],
    lookup_name: 'named',
  };
  folder.write('named.csv', '10.0.0.0/8,1,2,3\n');
  expect((await post('/from-csv', { ...named, file_name: 'named.csv' })).status).toBe(200);
  const record = (await (await send('/named/10.0.0.1')).json()) as { record: unknown };
  expect(record.record).toEqual({ 'a b': '1', c: '2', d: '3' });
});

test('a file in the folder of inputs is joined, but none outside of it', async () => {
  folder.write('blocks.csv', 'network,id\n10.0.0.0/8,1\n11.0.0.0/8,2\n');
  folder.write('places.csv', 'id,city\n1,Brno\n');
  const wanted = { file_name: 'blocks.csv', input_ip_format: 'cidr' };
  const built = await post('/from-csv', { ...wanted, join: ['places.csv:id'] });
  expect([built.status, await built.json()]).toEqual([
    200,
    expect.objectContaining({
      missing_keys: [{ file: 'places.csv', column: 'id', count: 1, keys: ['2'] }],
    }),
  ]);
  expect(await (await send('/blocks/10.1.2.3')).json()).toMatchObject({ record: { id: '1', city: 'Brno' } });
  const refused = async (join: string) => problem(post('/from-csv', { ...wanted, join: [join] }));
  expect(await refused('../svccmd.conf:id')).toEqual([400, '"../svccmd.conf" is not a plain file name.']);
  expect(await refused('none.csv:id')).toEqual([404, 'Input file not found: "none.csv".']);
  expect(await refused('places.csv')).toEqual([
    400,
    'join takes a file and its key, such as Locations.csv:geoname_id, but "places.csv" is not that',
  ]);
});

test('the more specific row wins over HTTP too', async () => {
  folder.write('own.csv', 'network,site\n10.1.0.0/16,Depot\n10.0.0.0/8,Elsewhere\n');
  const wanted = { file_name: 'own.csv', input_ip_format: 'cidr' };
  const built = async (options: object) => (await post('/from-csv', { ...wanted, ...options })).json();
  expect(await built({})).toMatchObject({ overlaps: 1, overridden_specific: 1 });
  expect(await built({ overlap: 'specific' })).toMatchObject({ overlaps: 1, overridden_specific: 0 });
  expect(await (await send('/own/10.1.2.3')).json()).toMatchObject({ record: { site: 'Depot' } });
});

test('one address is looked up, and a new file is used at once', async () => {
  const ask = async (ip: string) => (await send(`/sites/${encodeURIComponent(ip)}`)).json();
  expect(await ask('10.1.2.3')).toEqual({
    ip: '10.1.2.3',
    network: '10.1.0.0/16',
    record: { site: 'Warehouse' },
  });
  expect(await ask('::ffff:10.1.2.3')).toMatchObject({ record: { site: 'Warehouse' } });
  expect(await ask('192.0.2.1')).toMatchObject({ record: null });
  folder.write('sites.csv', CSV.replace('Warehouse', 'Moved'));
  await post('/from-csv', { file_name: 'sites.csv', input_ip_format: 'ipv4' });
  expect(await ask('10.1.2.3')).toMatchObject({ record: { site: 'Moved' } });
});

test('of two concurrent builds one is rejected, and the server keeps responding', async () => {
  folder.write(
    'many.csv',
    `ip_from,ip_to,v\n${Array.from({ length: 300_000 }, (_, i) => `${i * 9},${i * 9 + 3},v${i % 999}\n`).join('')}`,
  );
  const wanted = { file_name: 'many.csv', input_ip_format: 'ipv4-int' };
  const builds = [post('/from-csv', wanted), post('/from-csv', wanted)];
  const health = await fetch(`${server.url}/health/live`);
  expect(health.status).toBe(200);
  const statuses = (await Promise.all(builds)).map(({ status }) => status).sort();
  expect(statuses).toEqual([200, 409]);
});
