import { pino } from 'pino';
import { waitForDatabase } from './open-database.js';

const lines: { level: number; msg: string; reason: string }[] = [];
const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
beforeEach(() => lines.splice(0));

const unavailable = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

/** Fails `failures` times, then succeeds. */
function attempts(failures: number, error: () => Error) {
  let made = 0;
  return {
    connect: async () => {
      if (made++ < failures) throw error();
    },
    made: () => made,
  };
}

test('waits for a database that starts later, and logs it once', async () => {
  const { connect, made } = attempts(2, unavailable);
  await waitForDatabase(connect, 60_000, logger);
  expect(made()).toBe(3);
  expect(lines).toMatchObject([{ level: 40, msg: 'waiting for the database', reason: 'ECONNREFUSED' }]);
});

test('gives up on a database that never starts with the last error', async () => {
  const { connect, made } = attempts(Infinity, unavailable);
  await expect(waitForDatabase(connect, 300, logger)).rejects.toThrow('connect ECONNREFUSED');
  expect(made()).toBeGreaterThan(1);
});

test('without time to wait there is one attempt', async () => {
  const { connect, made } = attempts(Infinity, unavailable);
  await expect(waitForDatabase(connect, 0, logger)).rejects.toThrow('connect ECONNREFUSED');
  expect(made()).toBe(1);
  expect(lines).toEqual([]);
});

test('a wrong password fails without waiting', async () => {
  const refused = () => Object.assign(new Error('password authentication failed'), { code: '28P01' });
  const { connect, made } = attempts(Infinity, refused);
  await expect(waitForDatabase(connect, 60_000, logger)).rejects.toThrow('password authentication failed');
  expect(made()).toBe(1);
});
