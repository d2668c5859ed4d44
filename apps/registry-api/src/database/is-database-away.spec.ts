import { isDatabaseAway } from './is-database-away.js';

const failure = (code: string | undefined, message = 'it failed') =>
  Object.assign(new Error(message), code === undefined ? {} : { code });

test.each([
  ['a refused connection', failure('ECONNREFUSED')],
  ['a name that does not resolve for now', failure('EAI_AGAIN')],
  ['a connection that was cut', failure('08006')],
  ['too many connections', failure('53300')],
  ['a server that is shutting down', failure('57P01')],
  ['a server that is starting', failure('57P03')],
  ['a server that has become a standby', failure('25006')],
  ['a driver that lost its connection', failure(undefined, 'Connection terminated unexpectedly')],
  ['a pool without a free connection', failure(undefined, 'timeout exceeded when trying to connect')],
])('%s may soon be over', (_case, error) => {
  expect(isDatabaseAway(error)).toBe(true);
});

test.each([
  ['a duplicate key', failure('23505')],
  ['a syntax error', failure('42601')],
  ['a NUL in a text', failure('22021')],
  ['a statement that took too long', failure('57014')],
  ['any other error', failure(undefined)],
  ['no error at all', undefined],
  ['a text', 'ECONNREFUSED'],
])('%s does not mean that the database is away', (_case, error) => {
  expect(isDatabaseAway(error)).toBe(false);
});
