import { jest } from '@jest/globals';
import { ConnectionRenewal } from './connection-renewal.js';

let now = 0;
beforeEach(() => {
  now = 1_000_000;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

/** Suspects a connection once per second. @returns after how many seconds all were renewed */
function renewalsDuring(seconds: number, renewal: ConnectionRenewal): number[] {
  return Array.from({ length: seconds }, (_, second) => {
    now += 1_000;
    return renewal.renew(now) ? [second] : [];
  }).flat();
}

test('renewals that do not help become rare, down to one a minute', () => {
  expect(renewalsDuring(300, new ConnectionRenewal())).toEqual([0, 2, 6, 14, 30, 62, 122, 182, 242]);
});

test('after one that helped, the next is not delayed', () => {
  const renewal = new ConnectionRenewal();
  renewalsDuring(100, renewal);
  renewal.helped();
  now += 1_000;
  expect(renewal.renew(now)).toBe(true);
});

test('all requests that suspected a connection before a renewal benefit from it', () => {
  const renewal = new ConnectionRenewal();
  const suspectedAt = (now += 1);
  now += 10;
  expect(renewal.renew(suspectedAt)).toBe(true);
  expect(renewal.renew(suspectedAt)).toBe(true);
  expect(renewal.renew(now + 1)).toBe(false);
});

test('connections are outdated if connecting began before the change', () => {
  const renewal = new ConnectionRenewal();
  expect(renewal.isFormer(now)).toBe(false);
  renewal.renew(now);
  expect([now - 1, now, now + 1].map((openedAt) => renewal.isFormer(openedAt))).toEqual([true, false, false]);
});
