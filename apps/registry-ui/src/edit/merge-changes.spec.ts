import { merged, mergeRows } from './merge-changes.js';

const NAMES = ['client_name', 'client_uri', 'login_uri', 'redirect_uris'];
const before = { client_name: 'Shop', redirect_uris: ['a:b'], login_uri: 'https://l' };

test('a field changed by one side is that side’s, a field changed by both must be decided', () => {
  const theirs = { ...before, client_name: 'Theirs', client_uri: 'https://t' };
  const mine = { ...before, client_name: 'Mine', redirect_uris: ['c:d'] };
  const rows = mergeRows({ names: NAMES, before, theirs, mine });
  expect(rows.map(({ name, changedBy }) => [name, changedBy])).toEqual([
    ['client_name', 'both'],
    ['client_uri', 'them'],
    ['redirect_uris', 'me'],
  ]);
  expect(merged(theirs, rows, {})).toEqual({
    ...before,
    client_name: 'Mine',
    client_uri: 'https://t',
    redirect_uris: ['c:d'],
  });
  expect(merged(theirs, rows, { client_name: 'theirs', client_uri: 'mine' })).toEqual({
    ...before,
    client_name: 'Theirs',
    redirect_uris: ['c:d'],
  });
});

test('what I emptied stays empty, and what both did alike is no question', () => {
  const theirs = { ...before, client_name: 'Same' };
  const { login_uri: _, ...mine } = { ...before, client_name: 'Same' };
  const rows = mergeRows({ names: NAMES, before, theirs, mine });
  expect(rows).toMatchObject([{ name: 'login_uri', changedBy: 'me' }]);
  expect(merged(theirs, rows, {})).toEqual({ client_name: 'Same', redirect_uris: ['a:b'] });
});

test('a value of theirs that is not the one shown before is told apart', () => {
  const [theirs, mine] = [{ client_name: 'Theirs, twice', client_uri: 'https://t' }, { client_name: 'Mine' }];
  const shown = { client_name: 'Theirs', client_uri: 'https://t' };
  expect(mergeRows({ names: NAMES, before, theirs, mine, shown })).toMatchObject([
    { name: 'client_name', changedAgain: true },
    { name: 'client_uri', changedAgain: false },
  ]);
});
