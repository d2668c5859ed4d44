import { jest } from '@jest/globals';
import { LogDestination } from './log-destination.js';

const INFO = 30;
const ERROR = 50;

function destination() {
  const written: string[] = [];
  const log = new LogDestination({ write: (lines) => void written.push(lines) });
  const say = (line: string, level = INFO): void => {
    log.lastLevel = level;
    log.write(line);
  };
  return { log, say, written };
}

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('a line after a pause is written at once, those that follow together', () => {
  const { say, written } = destination();
  say('a\n');
  expect(written).toEqual(['a\n']);
  say('b\n');
  say('c\n');
  expect(written).toEqual(['a\n']);
  jest.advanceTimersByTime(50);
  expect(written).toEqual(['a\n', 'b\nc\n']);
});

test('an error is written at once, after what came before it', () => {
  const { say, written } = destination();
  say('a\n');
  say('b\n');
  say('broken\n', ERROR);
  expect(written).toEqual(['a\n', 'b\nbroken\n']);
  jest.advanceTimersByTime(1_000);
  expect(written).toHaveLength(2);
});

test('at most 64 Ki characters are buffered', () => {
  const { say, written } = destination();
  say('first\n');
  const line = `${'x'.repeat(1023)}\n`;
  for (let count = 0; count < 64; count += 1) say(line);
  expect(written).toEqual(['first\n', line.repeat(64)]);
});

test('the buffer is written when the process exits', () => {
  const { say, written } = destination();
  say('a\n');
  say('b\n');
  process.emit('exit', 0);
  expect(written.join('')).toBe('a\nb\n');
});
