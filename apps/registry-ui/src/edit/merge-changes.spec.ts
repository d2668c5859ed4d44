import fc from 'fast-check';
import {
  changedSide,
  type Decisions,
  isKept,
  type ItemChange,
  type ListRow,
  merged,
  type MergeRow,
  mergeRows,
  type Side,
} from './merge-changes.js';

const FIELDS = [
  ...['client_name', 'client_uri', 'login_uri'].map((name) => ({ name, type: 'string' as const })),
  { name: 'redirect_uris', type: 'string[]' as const },
];
const before = { client_name: 'Shop', redirect_uris: ['a:b'], login_uri: 'https://l' };

const decide = (
  sides: Readonly<Record<string, Side>> = {},
  kept: Readonly<Record<string, boolean>> = {},
): Decisions => ({
  sideOf: (row) => sides[row.name] ?? changedSide(row),
  keeps: (_row, change) => kept[change.item] ?? isKept(change),
});

test('a field changed by one side takes that value, a field changed by both needs a decision', () => {
  const theirs = { ...before, client_name: 'Theirs', client_uri: 'https://t' };
  const { login_uri: _, ...mine } = { ...before, client_name: 'Mine' };
  const rows = mergeRows({ fields: FIELDS, before, theirs, mine });
  expect(rows.map((row) => row.kind === 'value' && [row.name, row.changedBy, changedSide(row)])).toEqual([
    ['client_name', 'both', undefined],
    ['client_uri', 'them', 'theirs'],
    ['login_uri', 'me', 'mine'],
  ]);
  const { login_uri: __, ...withoutLogin } = theirs;
  expect(merged(theirs, rows, decide())).toEqual(withoutLogin);
  expect(merged(theirs, rows, decide({ client_name: 'mine' }))).toEqual({
    ...withoutLogin,
    client_name: 'Mine',
  });
});

test('what I cleared stays empty, and identical changes need no decision', () => {
  const theirs = { ...before, client_name: 'Same' };
  const { login_uri: _, ...mine } = { ...before, client_name: 'Same' };
  const rows = mergeRows({ fields: FIELDS, before, theirs, mine });
  expect(rows).toMatchObject([{ name: 'login_uri', changedBy: 'me' }]);
  expect(merged(theirs, rows, decide())).toEqual({ client_name: 'Same', redirect_uris: ['a:b'] });
});

test('a value that differs from the one shown before is marked', () => {
  const [theirs, mine] = [{ client_name: 'Theirs, twice', client_uri: 'https://t' }, { client_name: 'Mine' }];
  const shown = { client_name: 'Theirs', client_uri: 'https://t' };
  expect(mergeRows({ fields: FIELDS, before, theirs, mine, shown })).toMatchObject([
    { name: 'client_name', changedAgain: true },
    { name: 'client_uri', changedAgain: false },
  ]);
});

const listRow = (lists: Readonly<Record<'before' | 'theirs' | 'mine', readonly string[]>>) => {
  const { before: was, theirs, mine } = lists;
  const rows = mergeRows({
    fields: [{ name: 'redirect_uris', type: 'string[]' }],
    before: { redirect_uris: was },
    theirs: { redirect_uris: theirs },
    mine: { redirect_uris: mine },
  });
  const merge = (decisions: Decisions) => merged({ redirect_uris: theirs }, rows, decisions)['redirect_uris'];
  return { rows, merge };
};
const changesIn = (rows: readonly MergeRow[]) =>
  rows.flatMap((row) => (row.kind === 'list' ? row.changes : []));

test('a list that both changed keeps the additions of both, and loses what either removed', () => {
  const { rows, merge } = listRow({
    before: ['a', 'b', 'c'],
    theirs: ['a', 'b', 'their'],
    mine: ['a', 'mine', 'c'],
  });
  expect(changesIn(rows)).toEqual([
    { item: 'mine', change: 'added', by: 'me' },
    { item: 'c', change: 'removed', by: 'them' },
    { item: 'b', change: 'removed', by: 'me' },
    { item: 'their', change: 'added', by: 'them' },
  ] satisfies ItemChange[]);
  expect(merge(decide())).toEqual(['a', 'mine', 'their']);
  expect(merge(decide({}, { c: true, their: false }))).toEqual(['a', 'mine', 'c']);
});

test.each([
  ['mine, when I alone reordered it', ['a', 'b'], ['a', 'b', 'c'], ['b', 'a'], ['b', 'c', 'a']],
  ['theirs, when they reordered it, too', ['a', 'b', 'c'], ['c', 'a', 'b'], ['b', 'a', 'c'], ['c', 'a', 'b']],
  ['mine alone, when there was none before', [], [], ['b', 'a'], ['b', 'a']],
])('the order of a merged list is %s', (_case, was, theirs, mine, expected) => {
  const { merge } = listRow({ before: was, theirs, mine });
  expect([...(merge(decide()) as string[])].sort()).toEqual([...expected].sort());
  expect((merge(decide()) as string[])[0]).toBe(expected[0]);
});

test('a merged list always contains the items of a set merge', () => {
  const lists = fc.uniqueArray(fc.constantFrom<string>('a', 'b', 'c', 'd', 'e', 'f'));
  fc.assert(
    fc.property(lists, lists, lists, (was, theirs, mine) => {
      const { rows, merge } = listRow({ before: was, theirs, mine });
      const expected = ['a', 'b', 'c', 'd', 'e', 'f'].filter((item) => {
        const [b, t, m] = [was, theirs, mine].map((list) => list.includes(item));
        return b ? t && m : t || m;
      });
      expect([...(merge(decide()) as string[])].sort()).toEqual(expected);
      for (const row of rows as ListRow[]) expect(new Set(row.items).size).toBe(row.items.length);
    }),
  );
});
