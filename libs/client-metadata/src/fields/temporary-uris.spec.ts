import { liveRedirectUris, withoutTemporaryUris } from './temporary-uris.js';

const END = '2026-11-24T08:00:00.000Z';

test.each([
  ['before its end', -1, ['a', 'b']],
  ['at its end', 0, ['b']],
  ['after its end', 1, ['b']],
])('%s', (_case, afterMs, expected) => {
  const now = Date.parse(END) + afterMs;
  expect(liveRedirectUris(['a', 'b'], [{ redirect_uri: 'a', expires_at: END }], now)).toEqual(expected);
});

test('an end that is no time has passed', () => {
  expect(liveRedirectUris(['a'], [{ redirect_uri: 'a', expires_at: 'soon' }], 0)).toEqual([]);
});

test('without ends, all are live', () => {
  for (const none of [undefined, null, []]) expect(liveRedirectUris(['a'], none, 0)).toEqual(['a']);
});

test('an import does not add redirect URIs that end, and keeps those that the Client has', () => {
  const record = {
    redirect_uris: ['a', 'b', 'c'],
    temporary_redirect_uris: [{ redirect_uri: 'b' }, { redirect_uri: 'c' }, null],
  };
  expect(withoutTemporaryUris(record, ['c']).redirect_uris).toEqual(['a', 'c']);
  for (const other of [null, 'a', ['a'], { redirect_uris: 'a' }, { redirect_uris: ['a'] }])
    expect(withoutTemporaryUris(other, [])).toBe(other);
});
