import fc from 'fast-check';
import { parseString } from 'fast-csv';
import {
  type ClientDocument,
  DEFAULT_CAPABILITIES,
  extendCapabilities,
  validateImport,
} from '@svc/client-metadata';
import { convertClients, parseCsvRows } from '@svc/client-metadata/conversion';
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

const WIDE = extendCapabilities({
  grant_types: ['refresh_token', 'client_credentials', 'implicit'],
  response_types: ['token', 'code id_token'],
  token_endpoint_auth_method: ['client_secret_basic'],
  optional_fields: ['jwks', 'post_logout_redirect_uris', 'backchannel_logout_session_required'],
  languages: ['de'],
});

/** Begins like a formula, its protection, JSON or a number, and contains what separates cells and entries. */
const text = fc
  .tuple(
    fc.stringMatching(/^['=@+＝[{"#]{0,3}$/),
    fc.oneof(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[0\]}",;:' ]{0,6}$/)),
    fc.constantFrom('a', ' a', '0', ']'),
  )
  .map((parts) => parts.join(''));
const uris = fc
  .uniqueArray(fc.stringMatching(/^[a-z0-9]{1,3}$/), { minLength: 1, maxLength: 3 })
  .map((names) => names.map((name) => `https://a.example/${name}?x=,;'`));
const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
const KEY = {
  ...{ kty: 'EC', crv: 'P-256', kid: '=["' },
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
};

/** Nearly all are valid. */
const anyClient = fc.record({
  client_id: fc.oneof(fc.stringMatching(/^[ -~]{1,12}$/), fc.stringMatching(/^['=@+]{1,3}a$/)),
  client_name: text,
  'client_name#de': optional(text),
  description: optional(text),
  redirect_uris: uris,
  post_logout_redirect_uris: optional(uris),
  contacts: optional(fc.uniqueArray(text, { maxLength: 3 })),
  grants: fc.constantFrom(
    { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] },
    { grant_types: ['authorization_code', 'implicit'], response_types: ['code', 'code id_token'] },
    { grant_types: ['implicit'], response_types: ['token'] },
    { grant_types: ['client_credentials', 'refresh_token'], response_types: [] },
  ),
  labels: optional(fc.dictionary(fc.stringMatching(/^[a-z0-9]{1,4}$/), fc.stringMatching(/^[a-z0-9]{0,3}$/))),
  session_expiration: optional(
    fc.oneof(
      fc.double({ min: 1, max: 1e6, noNaN: true }),
      fc.stringMatching(/^[1-9]\d{0,2}(\.\d{1,2})?( ?[hd])?$/),
    ),
  ),
  authorize_anonymous_users: optional(fc.boolean()),
  backchannel_logout_session_required: optional(fc.boolean()),
  jwks: optional(fc.constant({ keys: [KEY] })),
  enabled: fc.boolean(),
});

test('an import of an export changes nothing', async () => {
  const columns = csvColumns(WIDE);
  const metadataOf = (record: unknown) => {
    const validation = validateImport(record, WIDE);
    return validation.valid ? validation.metadata : validation.violations;
  };
  await fc.assert(
    fc.asyncProperty(anyClient, async ({ grants, enabled, client_id: id, ...given }) => {
      const metadata = metadataOf({
        ...given,
        ...{ ...grants, client_id: id, token_endpoint_auth_method: 'client_secret_basic' },
      });
      fc.pre(!Array.isArray(metadata));
      const csv =
        (await csvHeader(columns)) +
        (await csvRows([client({ ...metadata, client_id: id, enabled })], columns));
      const [imported] = convertClients('csv', parseCsvRows(csv), {
        ...{ capabilities: WIDE, newId: () => 'new-id' },
      }).clients;
      expect(imported).toMatchObject({ violations: [], declaration: { client_id: id, enabled } });
      expect(metadataOf(imported?.declaration)).toEqual(metadata);
    }),
    { numRuns: 200 },
  );
});
