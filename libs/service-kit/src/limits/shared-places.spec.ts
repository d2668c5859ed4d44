import { type NoPlaceLeftError, type PlaceTaker, SharedPlaces } from './shared-places.js';

const places = () =>
  new SharedPlaces({ name: 'exports', total: 6, perToken: 2, perAddress: 3, remedy: 'try again later' });

const taker = (id: string, address: string): PlaceTaker => ({ id, address });

const refusalOf = (shared: SharedPlaces, ...[id, address]: Parameters<typeof taker>) => {
  try {
    shared.take(taker(id, address));
  } catch (error) {
    return [(error as NoPlaceLeftError).share, (error as Error).message];
  }
  return undefined;
};

test('one token takes its share and no more, from however many addresses', () => {
  const shared = places();
  for (const address of ['192.0.2.1', '192.0.2.2']) shared.take(taker('a', address));
  const message =
    "this token already has 2 exports in progress, the most it may have (the server's limit is 6); try again later";
  expect(refusalOf(shared, 'a', '192.0.2.3')).toEqual(['token', message]);
  expect(refusalOf(shared, 'b', '192.0.2.1')).toBeUndefined();
});

test('a caller without a token takes the share of one, and its address is named', () => {
  const shared = places();
  for (let at = 0; at < 2; at += 1) shared.take(taker('192.0.2.1', '192.0.2.1'));
  expect(refusalOf(shared, '192.0.2.1', '192.0.2.1')).toEqual([
    'address',
    expect.stringMatching(/^this address already has 2 exports in progress/),
  ]);
  expect(refusalOf(shared, '192.0.2.2', '192.0.2.2')).toBeUndefined();
});

test.each([
  ['an address', '192.0.2.1', '::ffff:192.0.2.1', '192.0.2.2'],
  ['a /64', '2001:db8:1:2::1', '2001:db8:1:2::2', '2001:db8:1:3::1'],
])('%s takes its share and no more, with however many tokens', (_case, first, same, other) => {
  const shared = places();
  for (const id of ['a', 'b', 'c']) shared.take(taker(id, first));
  const message =
    "this address already has 3 exports in progress, the most it may have (the server's limit is 6); try again later";
  expect(refusalOf(shared, 'd', same)).toEqual(['address', message]);
  expect(refusalOf(shared, 'd', other)).toBeUndefined();
});

test('all callers together can take every place', () => {
  const shared = places();
  for (let at = 0; at < 6; at += 1) shared.take(taker(`token ${at}`, `192.0.2.${at}`));
  expect(refusalOf(shared, 'x', '192.0.2.9')).toEqual([
    undefined,
    '6 exports are in progress; try again later',
  ]);
});

test('a released place is free again, once', () => {
  const shared = places();
  const [give] = [shared.take(taker('a', '192.0.2.1')), shared.take(taker('a', '192.0.2.1'))];
  give?.();
  give?.();
  shared.take(taker('a', '192.0.2.1'));
  expect(refusalOf(shared, 'a', '192.0.2.1')?.[0]).toBe('token');
});

test('a rejected caller takes no place', () => {
  const shared = places();
  for (let at = 0; at < 20; at += 1) refusalOf(shared, 'a', '192.0.2.1');
  for (const id of ['b', 'c']) expect(refusalOf(shared, id, '192.0.2.2')).toBeUndefined();
  expect(refusalOf(shared, 'b', '192.0.2.1')).toBeUndefined();
});
