import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { Problem } from '../problem/problem.js';
import { assignPlace, leavePlace, RequestPlaces, type RequestTaker, takerOf } from './request-places.js';

const LIMIT = 100;

/** Takes places for as many of the requests as there are. @returns those that have one */
function enter(places: RequestPlaces, taker: RequestTaker, count: number): IncomingMessage[] {
  return Array.from({ length: count }, () => ({}) as IncomingMessage).filter((request) => {
    if (places.shortageFor(taker) !== undefined) return false;
    places.take(request, taker);
    return true;
  });
}

const taker = (token: string, address = `address of ${token}`) => ({ token, address });

test('a token alone takes three quarters; then others still find a place', () => {
  const places = new RequestPlaces(LIMIT);
  expect(enter(places, taker('a'), 200)).toHaveLength(75);
  expect(places.shortageFor(taker('a'))).toBe('token');
  expect(places.shortageFor(taker('b'))).toBeUndefined();
});

test('the requests of a token that are under way are counted, without those that have left', () => {
  const places = new RequestPlaces(LIMIT);
  const [first, second] = enter(places, taker('a'), 2);
  enter(places, taker('b'), 1);
  expect(places.countOfSameToken(first!)).toBe(2);
  leavePlace(second!);
  expect([places.countOfSameToken(first!), places.countOfSameToken(second!)]).toEqual([1, 0]);
});

test('tokens that send as fast as they can end up with equal shares, and leave the reserve to others', () => {
  const places = new RequestPlaces(LIMIT);
  const under = new Map([...'abc'].map((token) => [token, enter(places, taker(token), 200)]));
  for (let turn = 0; turn < 500; turn += 1) {
    const [token, requests] = [...under][turn % 3]!;
    const ended = requests.shift();
    if (ended) places.leave(ended);
    requests.push(...enter(places, taker(token), 10));
  }
  expect([...under.values()].map((requests) => requests.length)).toEqual([25, 25, 25]);
  expect(enter(places, taker('d'), 1)).toHaveLength(1);
});

test('one address takes seven eighths, with however many tokens', () => {
  const places = new RequestPlaces(LIMIT);
  const taken = Array.from({ length: 200 }, (_, index) => enter(places, taker(`${index}`, 'here'), 1));
  expect(taken.flat()).toHaveLength(88);
  expect(places.shortageFor(taker('x', 'here'))).toBe('address');
  expect(places.shortageFor(taker('x', 'there'))).toBeUndefined();
});

test('as many callers as there are places fill them all', () => {
  const places = new RequestPlaces(LIMIT);
  for (let index = 0; index < LIMIT; index += 1) enter(places, taker(`${index}`), 1);
  expect(places.inFlight).toBe(LIMIT);
  expect(places.shortageFor(taker('x'))).toBe('process');
});

test('a share that is used up is a 429 that names it; no place at all is a 503', () => {
  const places = new RequestPlaces(LIMIT);
  const refusalOf = (...[shortage, one]: Parameters<typeof places.refusalOf>) => {
    const { status, message, headers } = places.refusalOf(shortage, one);
    return [status, /this (\w+)/i.exec(message)?.[1], headers['retry-after']];
  };
  expect(refusalOf('token', taker('a'))).toEqual([429, 'token', '1']);
  expect(refusalOf('token', taker('192.0.2.1', '192.0.2.1'))).toEqual([429, 'address', '1']);
  expect(refusalOf('address', taker('a'))).toEqual([429, 'address', '1']);
  for (let index = 0; index < LIMIT; index += 1) enter(places, taker(`${index}`), 1);
  expect(refusalOf('token', taker('a'))).toEqual([503, undefined, '1']);
});

test('requests with several access tokens of one holder count together', () => {
  const places = new RequestPlaces(LIMIT);
  const enterAs = (token: string) => {
    const [request] = enter(places, taker(token, 'here'), 1);
    if (request) assignPlace(request, 'oidc:ada');
  };
  for (let index = 0; index < 75; index += 1) enterAs(`token ${index}`);
  expect(() => enterAs('another')).toThrow(Problem);
});

test('a request whose caller left before it was authorized holds no place', () => {
  const places = new RequestPlaces(LIMIT);
  const [request] = enter(places, taker('a'), 1);
  leavePlace(request!);
  assignPlace(request!, 'oidc:ada');
  expect([places.inFlight, takerOf(request!)]).toEqual([0, undefined]);
});

test('whatever callers do, a new one finds a place while fewer than the limit are taken', () => {
  const steps = fc.array(fc.record({ token: fc.integer({ min: 0, max: 9 }), leaves: fc.boolean() }), {
    maxLength: 400,
  });
  fc.assert(
    fc.property(steps, (all) => {
      const places = new RequestPlaces(40);
      const requests: IncomingMessage[] = [];
      for (const { token, leaves } of all) {
        const oldest = leaves ? requests.shift() : undefined;
        if (oldest) places.leave(oldest);
        else requests.push(...enter(places, taker(String(token)), 3));
        expect(places.inFlight).toBe(requests.length);
        expect(places.shortageFor(taker('new'))).toBe(requests.length < 40 ? undefined : 'process');
      }
    }),
  );
});
