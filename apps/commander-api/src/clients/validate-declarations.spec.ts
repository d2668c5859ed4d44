import { DEFAULT_CAPABILITIES, extendCapabilities } from '@svc/client-metadata';
import { validateDeclarations } from './validate-declarations.js';

const VALID = `client_id: a
client_name: A
redirect_uris: [https://a.example/cb]
code_challenge_method: S256
`;

const validate = (...texts: string[]) =>
  validateDeclarations(
    texts.map((text, index) => ({ name: `${index}.yaml`, text })),
    DEFAULT_CAPABILITIES,
  );
const places = (...texts: string[]) =>
  validate(...texts).problems.map(({ file, line, field, code }) => `${file}:${line} ${field} ${code}`);

test('valid declarations are counted', () => {
  const { declarations, problems, warnings } = validate(VALID, VALID.replace('client_id: a', ''));
  expect(declarations.map(({ file, clientId, metadata }) => [file, clientId, metadata?.client_name])).toEqual(
    [
      ['0.yaml', 'a', 'A'],
      ['1.yaml', undefined, 'A'],
    ],
  );
  expect([problems, warnings]).toEqual([[], []]);
});

test('every problem of every declaration has its file and line', () => {
  expect(
    places(VALID, `- client_name: B\n  redirect_uris:\n    - /cb\n    - x:\n  colour: blue\n- 7`),
  ).toEqual([
    '1.yaml:5 /colour unknown_field',
    '1.yaml:3 /redirect_uris/0 uri_not_absolute',
    '1.yaml:4 /redirect_uris/1 type',
    '1.yaml:6  type',
  ]);
});

test('exported fields are accepted, a secret is not', () => {
  const exported = `${VALID}cookie_name: SvcClient_X\nclient_id_issued_at: 1\nenabled: false\nwarnings: []\n`;
  expect(places(exported)).toEqual([]);
  expect(places(`${VALID}client_secret: x`)).toEqual(['0.yaml:5 /client_secret server_owned']);
});

test('no two declarations have the same id', () => {
  expect(places(VALID, `- ${VALID.replaceAll('\n', '\n  ')}`)).toEqual(['1.yaml:1 /client_id duplicate']);
  expect(places(VALID, VALID.replace('client_id', 'preferred_client_id'))).toEqual([
    '1.yaml:1 /preferred_client_id duplicate',
  ]);
  expect(validate(VALID, VALID).problems[0]?.message).toBe('this id is already declared at 0.yaml:1');
});

test('a file without Clients and a broken one are problems', () => {
  expect(places('', 'a: [')).toEqual(['0.yaml:1  empty', '1.yaml:1  syntax']);
});

test('warnings have their places too', () => {
  const { problems, warnings } = validate(VALID.replace('S256', 'plain'));
  expect(problems).toEqual([]);
  expect(warnings).toMatchObject([
    { file: '0.yaml', line: 4, field: '/code_challenge_method', code: 'weak_pkce' },
  ]);
});

test('NDJSON is recognized by file name', () => {
  const text = '{"client_name":"A","redirect_uris":["https://a.example/"]}\n{"client_name":"B"}\n';
  const { declarations, problems } = validateDeclarations(
    [{ name: 'export.ndjson', text }],
    DEFAULT_CAPABILITIES,
  );
  expect([declarations.length, problems.map(({ line, field }) => `${line} ${field}`)]).toEqual([
    2,
    ['2 /redirect_uris'],
  ]);
});

test('declarations are validated by what the registry supports', () => {
  const native = `${VALID}application_type: native\n`;
  const wide = extendCapabilities({ application_type: ['native'] });
  expect(places(native)).toEqual(['0.yaml:5 /application_type value_not_supported']);
  expect(validateDeclarations([{ name: 'a.yaml', text: native }], wide).problems).toEqual([]);
});

test('where the registry imports secrets, a declaration may contain one, or its hash', () => {
  const problemsOf = (more: string) =>
    validateDeclarations([{ name: 'a.yaml', text: `${VALID}${more}` }], DEFAULT_CAPABILITIES, true).problems;
  expect(problemsOf('client_secret: kept\n')).toEqual([]);
  expect(problemsOf('client_secret_hash: kept\nclient_secret: null\n')).toEqual([]);
  expect(problemsOf('client_secret: kept\nclient_secret_expires_at: 2030-01-01\n')).toMatchObject([
    { line: 6, field: '/client_secret_expires_at', code: 'type' },
  ]);
  expect(problemsOf('client_secret: kept\nclient_secret_hash: 7\n')).toMatchObject([
    { line: 6, field: '/client_secret_hash', message: 'client_secret_hash must be a string' },
    {
      line: 6,
      field: '/client_secret_hash',
      message: 'client_secret_hash cannot be given with client_secret',
    },
  ]);
});
