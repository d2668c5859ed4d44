import { jest } from '@jest/globals';
import { ACTIVE_MS, ActiveCallers } from './active-callers.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('a caller is alone while no other has sent a request lately', () => {
  const callers = new ActiveCallers();
  expect([callers.isAlone('a'), callers.areSeveral]).toEqual([true, false]);
  callers.note('a');
  expect([callers.isAlone('a'), callers.isAlone('b'), callers.areSeveral]).toEqual([true, false, false]);
  callers.note('b');
  callers.note('b');
  expect([callers.isAlone('a'), callers.isAlone('b'), callers.areSeveral]).toEqual([false, false, true]);
});

test('a caller that has been silent for a while does not count, however many requests the others send', () => {
  const callers = new ActiveCallers();
  callers.note('a');
  jest.advanceTimersByTime(ACTIVE_MS);
  callers.note('b');
  expect(callers.areSeveral).toBe(true);
  jest.advanceTimersByTime(1);
  callers.note('b');
  expect([callers.isAlone('b'), callers.areSeveral]).toEqual([true, false]);
});
