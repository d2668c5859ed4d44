import { linesOf } from './difference.js';

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
