import { jest } from '@jest/globals';
import { ACTIVE_MS } from '../runtime/active-callers.js';
import { AT_A_TIME, RequestTurns, TURN_MS } from './request-turns.js';

const WAITING = 3;

/** Takes turns for requests of one token. @returns which have started, and what ends each */
function enter(turns: RequestTurns, token: string, count: number) {
  const started: number[] = [];
  const ends = Array.from({ length: count }, (_, index) => turns.take(token, () => started.push(index)));
  return { started, ends };
}

/** Turns among several tokens. */
function sharedTurns(): RequestTurns {
  const turns = new RequestTurns();
  enter(turns, 'another', 1).ends[0]!();
  return turns;
}

const nextLoopTurn = () => jest.advanceTimersByTime(0);
const firstOnes = (count: number) => Array.from({ length: count }, (_, index) => index);

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('a token that needs the server alone has no limit, nor one whose neighbors have been silent for a while', () => {
  const turns = new RequestTurns();
  expect(enter(turns, 'a', AT_A_TIME + WAITING).started).toHaveLength(AT_A_TIME + WAITING);
  enter(turns, 'b', 1);
  jest.advanceTimersByTime(ACTIVE_MS + 1);
  expect(enter(turns, 'a', AT_A_TIME + WAITING).started).toHaveLength(AT_A_TIME + WAITING);
});

test('those that wait start once the other tokens have been silent for a while', () => {
  const turns = sharedTurns();
  jest.advanceTimersByTime(ACTIVE_MS - TURN_MS / 2);
  const { started, ends } = enter(turns, 'a', AT_A_TIME + WAITING);
  expect(started).toHaveLength(AT_A_TIME);
  jest.advanceTimersByTime(TURN_MS / 2 + 1);
  ends[0]!();
  nextLoopTurn();
  expect(started).toHaveLength(AT_A_TIME + WAITING);
});

test('a few requests of a token start at once, the others in order in the turns of the event loop after those have ended', () => {
  const { started, ends } = enter(sharedTurns(), 'a', AT_A_TIME + WAITING);
  ends[3]!();
  ends[3]!();
  expect(started).toEqual(firstOnes(AT_A_TIME));
  nextLoopTurn();
  expect(started).toEqual(firstOnes(AT_A_TIME + 1));
  for (const end of ends) end();
  nextLoopTurn();
  expect(jest.getTimerCount()).toBe(0);
});

test('a token whose requests wait does not delay another', () => {
  const turns = sharedTurns();
  enter(turns, 'a', AT_A_TIME + WAITING);
  expect(enter(turns, 'b', 1).started).toEqual([0]);
});

test('a request whose caller leaves while it waits does not start, nor does it take a turn', () => {
  const { started, ends } = enter(sharedTurns(), 'a', AT_A_TIME + 2);
  ends[AT_A_TIME]!();
  ends[0]!();
  nextLoopTurn();
  expect(started).toEqual([...firstOnes(AT_A_TIME), AT_A_TIME + 1]);
});

test('requests that take long do not hold up those behind them', () => {
  const { started, ends } = enter(sharedTurns(), 'a', AT_A_TIME + WAITING);
  jest.advanceTimersByTime(TURN_MS + 1);
  expect(started).toEqual(firstOnes(AT_A_TIME + WAITING));
  for (const end of ends) end();
  nextLoopTurn();
  expect(jest.getTimerCount()).toBe(0);
});

test('once all have ended, as many start at once as before', () => {
  const turns = sharedTurns();
  for (const end of enter(turns, 'a', AT_A_TIME + WAITING).ends) end();
  jest.advanceTimersByTime(TURN_MS);
  expect(enter(turns, 'a', AT_A_TIME + WAITING).started).toEqual(firstOnes(AT_A_TIME));
});
