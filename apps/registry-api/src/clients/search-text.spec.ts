import fc from 'fast-check';
import { foldText } from '@svc/client-metadata';
import { searchPatterns, searchTextOf } from './search-text.js';

const client = (client_name: string, redirect_uris: string[], more = {}) =>
  searchTextOf('shop-7', {
    client_name,
    redirect_uris,
    application_type: 'web',
    response_types: ['code'],
    grant_types: ['authorization_code'],
    token_endpoint_auth_method: 'none',
    code_challenge_method: 'none',
    redirect_uri_validation_method: 'full_match',
    ...more,
  });

/** LIKE without its wildcards in the middle: what stands between the first and the last `%`. */
const finds = (q: string, text: string) =>
  searchPatterns(q).every((pattern) => text.includes(pattern.slice(1, -1).replace(/\\(.)/g, '$1')));

const SHOP = client('Café Überlingen (Straße)', ['https://Shop.Example:8443/log-in/cb?tenant=blue'], {
  login_uri: 'https://id.example/prihlášení',
});

test.each<[string, boolean]>([
  ['cafe', true],
  ['CAFÉ', true],
  ['cafe\u0301', true],
  ['strasse', true],
  ['STRASSE', true],
  ['uber', true],
  ['berlin', true],
  ['cafe uber', true],
  ['überlingen shop-7 8443/log', true],
  ['cafe nowhere', false],
  ['prihlaseni', true],
  ['https://shop.example:8443/log-in/cb?tenant=blue#x', true],
  ['HTTP://SHOP.example', true],
  ['shop.example:8443/log-in/cb?tenant=red', true],
  ['blue', false],
  ['http', false],
  ['h', false],
  ['ht', false],
  ['s', true],
  ['sh', true],
  ['in', true],
  ['ex', true],
  ['ho', false],
  ['op', false],
  ['(s', true],
  ['84', true],
  ['44', false],
  ['st sh', true],
  ['%', false],
  ['___', false],
])('%s is found: %s', (q, expected) => {
  expect(finds(q, SHOP)).toBe(expected);
});

test('private-use schemes are searchable, like names', () => {
  const text = client('App', ['com.example.app:/cb']);
  expect(finds('com.example.app', text)).toBe(true);
  expect(finds('com.example.app:/cb', text)).toBe(true);
});

test.each(['', ' ', 'https://', 'http:', 'https:/ '])('%j has no words', (q) => {
  expect(searchPatterns(q)).toEqual([]);
});

test('a repeated word is searched for once', () => {
  expect(searchPatterns('Shop shop SHOP')).toEqual(['%shop%']);
});

test.each([
  ['Ångström', 'angstrom'],
  ['ĲSSELMEER', 'ijsselmeer'],
  ['ﬁne', 'fine'],
  ['Ｆｕｌｌ', 'full'],
  ['ΣΊΣΥΦΟΣ', 'σισυφοσ'],
  ['İstanbul', 'istanbul'],
  ['Łódź', 'lodz'],
  ['한국', '한국'],
  ['Ёлка', 'елка'],
])('%s folds to %s', (text, folded) => {
  expect(foldText(text)).toBe(folded);
});

test('folding is idempotent, whatever the case and however accents are written', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const folded = foldText(text);
      expect(foldText(folded)).toBe(folded);
      expect(foldText(text.normalize('NFD'))).toBe(folded);
    }),
  );
});

test('each word of a name, and each prefix of one, finds it', () => {
  const names = fc.stringMatching(/^[a-zA-ZáčŽ0-9][a-zA-ZáčŽ0-9.&+ -]{0,20}$/);
  fc.assert(
    fc.property(names, (name) => {
      const text = client(name, []);
      for (const word of name.split(' ').filter((each) => each !== '')) {
        for (const length of [1, 2, word.length]) expect(finds(word.slice(0, length), text)).toBe(true);
      }
    }),
  );
});
