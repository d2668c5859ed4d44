import { parseString } from 'fast-csv';
import { type ClientDocument, DEFAULT_CAPABILITIES, extendCapabilities } from '@svc/client-metadata';
import { csvColumns, csvHeader, csvRows } from './csv-rows.js';

const client = (members: object) =>
  ({
    client_id: 'shop',
    client_name: 'Shop',
    redirect_uris: [],
    warnings: [],
    ...members,
  }) as unknown as ClientDocument;

const parse = async (csv: string): Promise<Record<string, string>[]> =>
  new Promise((resolve, reject) => {
    const rows: Record<string, string>[] = [];
    parseString<Record<string, string>, Record<string, string>>(csv, { headers: true })
      .on('data', (row) => rows.push(row))
      .on('error', reject)
      .on('end', () => resolve(rows));
  });

const USUAL = csvColumns(DEFAULT_CAPABILITIES);

const cellsOf = async (members: object, columns = USUAL) =>
  (await parse((await csvHeader(columns)) + (await csvRows([client(members)], columns))))[0];

test('a Client is one row, a list one cell with an entry per line', async () => {
  const warning = { field: '/x', message: 'y' };
  expect(
    await cellsOf({
      client_name: 'A "quoted", name',
      redirect_uris: ['https://a.example/', 'https://b.example/'],
      warnings: [
        { ...warning, code: 'weak_pkce' },
        { ...warning, code: 'weak_pkce' },
        { ...warning, code: 'other' },
      ],
      enabled: false,
    }),
  ).toMatchObject({
    client_id: 'shop',
    client_name: 'A "quoted", name',
    redirect_uris: 'https://a.example/\nhttps://b.example/',
    warnings: 'weak_pkce\nother',
    enabled: 'false',
    client_uri: '',
  });
});

test('redirect URIs that end have one line of JSON each', async () => {
  const ends = [
    { redirect_uri: 'https://pr-1.example/', expires_at: '2027-01-01T00:00:00.000Z', note: 'a "b"' },
    { redirect_uri: 'https://pr-2.example/', expires_at: '2027-01-01T00:00:00.000Z' },
  ];
  const cells = await cellsOf({ temporary_redirect_uris: ends });
  const lines = cells?.['temporary_redirect_uris']?.split('\n') ?? [];
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual(ends);
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '＝1', '=HYPERLINK("https://evil.example","x")'])(
  '%j is no formula any more',
  async (name) => {
    expect((await cellsOf({ client_name: name, client_id: name }))?.['client_name']).toBe(`'${name}`);
  },
);

test('optional fields and languages have columns if they are supported; keys are JSON', async () => {
  const members = { jwks: { keys: [{ kty: 'EC' }] }, 'client_name#de': 'Laden' };
  const columns = csvColumns(extendCapabilities({ optional_fields: ['jwks'], languages: ['de'] }));
  expect(await cellsOf(members, columns)).toMatchObject({
    jwks: '{"keys":[{"kty":"EC"}]}',
    'client_name#de': 'Laden',
  });
  expect(await cellsOf(members)).not.toHaveProperty('jwks');
});

test('there is no column for a secret', async () => {
  const header = await csvHeader(USUAL);
  expect(header.match(/secret\w*/g)).toEqual(['secret_hint']);
  expect(header.endsWith('\r\n')).toBe(true);
});

test('no Clients are no rows', async () => {
  expect(await csvRows([], USUAL)).toBe('');
});
