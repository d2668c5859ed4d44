import { linesOf, versionDifference } from './difference.js';

test('of a list, only added and removed items are shown', () => {
  const before = ['https://a.example/', 'https://b.example/'];
  expect(
    linesOf({ field: 'redirect_uris', before, after: ['https://a.example/', 'https://c.example/'] }),
  ).toEqual([
    { sign: 'removed', value: 'https://b.example/' },
    { sign: 'added', value: 'https://c.example/' },
  ]);
});

test.each([
  ['a value that is new', { after: 'S256' }, ['+S256']],
  ['a value that is gone', { before: false }, ['-false']],
  ['a value that is another', { before: 3600, after: '2 h' }, ['-3600', '+2 h']],
  ['a list in another order', { before: ['a', 'b'], after: ['b', 'a'] }, ['-a,-b,+b,+a']],
  [
    'a list of objects',
    { after: [{ redirect_uri: 'https://a.example/', note: 'branch' }] },
    ['+redirect_uri:https://a.example/, note:branch'],
  ],
  ['a list that became empty', { before: ['a'], after: [] }, ['-a', '+[]']],
])('%s', (_case, change, expected) => {
  const lines = linesOf({ field: 'x', ...change }).map(
    ({ sign, value }) => (sign === 'added' ? '+' : '-') + value,
  );
  expect(lines.join()).toBe(expected.join());
});

const shop = {
  client_id: 'shop',
  client_name: 'Shop',
  redirect_uris: ['https://shop.example/'],
  enabled: true,
};
const { client_name, redirect_uris } = shop;

test('a version that is put back removes settings that were added after it, in every language', () => {
  const added = { client_uri: 'https://shop.example/', 'client_name#de': 'Laden', labels: { team: 'a' } };
  expect(versionDifference({ ...shop, ...added }, { client_name: 'Former', redirect_uris }, [])).toEqual([
    { field: 'client_name', before: 'Shop', after: 'Former' },
    { field: 'client_name#de', before: 'Laden' },
    { field: 'client_uri', before: 'https://shop.example/' },
    { field: 'labels', before: { team: 'a' } },
  ]);
});

test('a version that is put back gets the present defaults of settings that it lacks', () => {
  const defaults = [
    { name: 'cookie_domain', default: 'shop.example' },
    { name: 'code_challenge_method', default: 'none' },
  ];
  const current = { ...shop, cookie_domain: 'shop.example', code_challenge_method: 'S256' };
  expect(versionDifference(current, { client_name, redirect_uris }, defaults)).toEqual([
    { field: 'code_challenge_method', before: 'S256', after: 'none' },
  ]);
});

test('putting a version back ends redirect URIs that are temporary now, and nothing else that the registry sets', () => {
  const preview = 'https://preview.example/';
  const temporary_redirect_uris = [{ redirect_uri: preview, expires_at: '2030-01-01T00:00:00Z' }];
  const current = { ...shop, redirect_uris: [...redirect_uris, preview], temporary_redirect_uris };
  expect(versionDifference(current, { client_name, redirect_uris }, [])).toEqual([
    { field: 'redirect_uris', before: current.redirect_uris, after: redirect_uris },
  ]);
});
