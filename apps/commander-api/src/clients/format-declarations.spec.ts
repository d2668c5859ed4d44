import fc from 'fast-check';
import { formatDeclarations, toDeclaration } from './format-declarations.js';
import { parseDeclarations, parseNdjson } from '../files/parse-declarations.js';

/** Any code point but a lone surrogate. fast-check's `unit: 'binary'` would build a table of a million entries. */
const codePoint = fc
  .oneof(fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code));

const CLIENT = {
  client_id: 'shop',
  client_name: 'Shop',
  redirect_uris: ['https://shop.example/cb'],
  session_expiration: '8 h',
  enabled: false,
  client_secret_hint: 'abcd',
  client_secrets: [],
  cookie_name: 'SvcClient_X',
  created_at: '2026-11-21T08:00:00.000Z',
  warnings: [],
};

const NOW = Date.parse('2026-11-24T08:00:00.000Z');

test('a declaration contains only fields that applying it can set', () => {
  expect(toDeclaration(CLIENT, NOW)).toEqual({
    client_id: 'shop',
    client_name: 'Shop',
    redirect_uris: ['https://shop.example/cb'],
    session_expiration: '8 h',
    enabled: false,
  });
});

test('a redirect URI that ends stays temporary, and is left out once it has ended', () => {
  const uris = ['https://shop.example/cb', 'https://pr-1.example/cb', 'https://pr-2.example/cb'];
  const ended = { redirect_uri: uris[1], expires_at: new Date(NOW).toISOString() };
  const running = { redirect_uri: uris[2], expires_at: new Date(NOW + 1).toISOString(), note: 'PR 2' };
  const client = { ...CLIENT, redirect_uris: uris, temporary_redirect_uris: [ended, running] };
  expect(toDeclaration(client, NOW)).toMatchObject({
    redirect_uris: [uris[0], uris[2]],
    temporary_redirect_uris: [running],
  });
  const later = toDeclaration(client, NOW + 1);
  expect(later['redirect_uris']).toEqual([uris[0]]);
  expect(later).not.toHaveProperty('temporary_redirect_uris');
});

test('YAML is formatted as if by hand', () => {
  expect(formatDeclarations([toDeclaration(CLIENT, NOW)], 'yaml')).toBe(`- client_id: shop
  client_name: Shop
  redirect_uris:
    - https://shop.example/cb
  session_expiration: 8 h
  enabled: false
`);
});

const declarations = fc.array(
  fc.record({
    client_id: fc.string({ minLength: 1 }),
    client_name: fc.string({ unit: codePoint }),
    redirect_uris: fc.array(fc.webUrl()),
    session_expiration: fc.oneof(
      fc.integer(),
      fc.constantFrom('3600', '1e3', 'null', 'yes', '~', '0x1F', '- a', ': '),
    ),
    enabled: fc.boolean(),
  }),
  { minLength: 1 },
);

test.each(['yaml', 'json', 'ndjson'] as const)('%s reads back to the same', (format) => {
  const parse = format === 'ndjson' ? parseNdjson : parseDeclarations;
  fc.assert(
    fc.property(declarations, (given) => {
      const read = parse(formatDeclarations(given, format));
      expect(read.errors).toEqual([]);
      expect(read.declarations.map(({ value }) => value)).toEqual(given);
    }),
  );
});
