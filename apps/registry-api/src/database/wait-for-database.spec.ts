import { pino } from 'pino';
import { waitForDatabase } from './wait-for-database.js';

const lines: { level: number; msg: string; reason: string }[] = [];
const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
beforeEach(() => lines.splice(0));

const away = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

/** Fails so often, then succeeds. */
function attempts(failures: number, error: () => Error) {
  let made = 0;
  return {
    connect: async () => {
      if (made++ < failures) throw error();
    },
    made: () => made,
  };
}

test('a database that comes later is waited for, and that is said once', async () => {
  const { connect, made } = attempts(2, away);
  await waitForDatabase(connect, 60_000, logger);
  expect(made()).toBe(3);
  expect(lines).toMatchObject([{ level: 40, msg: 'waiting for the database', reason: 'ECONNREFUSED' }]);
});

test('a database that never comes ends the waiting with the last reason', async () => {
  const { connect, made } = attempts(Infinity, away);
  await expect(waitForDatabase(connect, 300, logger)).rejects.toThrow('connect ECONNREFUSED');
  expect(made()).toBeGreaterThan(1);
});

test('without time to wait there is one attempt', async () => {
  const { connect, made } = attempts(Infinity, away);
  await expect(waitForDatabase(connect, 0, logger)).rejects.toThrow('connect ECONNREFUSED');
  expect(made()).toBe(1);
  expect(lines).toEqual([]);
});

test('a wrong password is told at once', async () => {
  const refused = () => Object.assign(new Error('password authentication failed'), { code: '28P01' });
  const { connect, made } = attempts(Infinity, refused);
  await expect(waitForDatabase(connect, 60_000, logger)).rejects.toThrow('password authentication failed');
  expect(made()).toBe(1);
});
