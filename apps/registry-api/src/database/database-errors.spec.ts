import { isConflictError, isConnectionError, isDiskFullError, isTimeoutError } from './database-errors.js';

const failure = (code?: unknown, message = 'it failed') =>
  Object.assign(new Error(message), code === undefined ? {} : { code });

describe('isConnectionError', () => {
  test.each([
    ['a refused connection', failure('ECONNREFUSED')],
    ['a name that does not resolve for now', failure('EAI_AGAIN')],
    ['a Unix socket that is not there', Object.assign(failure('ENOENT'), { syscall: 'connect' })],
    ['a connection that was cut', failure('08006')],
    ['too many connections', failure('53300')],
    ['a server that is shutting down', failure('57P01')],
    ['a server that is starting', failure('57P03')],
    ['a server that has become a standby', failure('25006')],
    ['a driver that lost its connection', failure(undefined, 'Connection terminated unexpectedly')],
    ['a pool without a free connection', failure(undefined, 'timeout exceeded when trying to connect')],
  ])('%s: true', (_case, error) => {
    expect(isConnectionError(error)).toBe(true);
  });

  test.each([
    ['a duplicate key', failure('23505')],
    ['a syntax error', failure('42601')],
    ['a NUL in a text', failure('22021')],
    ['a statement that took too long', failure('57014')],
    ['a file that is not there', Object.assign(failure('ENOENT'), { syscall: 'open' })],
    ['any other error', failure()],
    ['undefined', undefined],
    ['a text', 'ECONNREFUSED'],
  ])('%s: false', (_case, error) => {
    expect(isConnectionError(error)).toBe(false);
  });
});

describe('isTimeoutError', () => {
  test.each([
    ['57014', true],
    ['55P03', true],
    ['57P01', false],
    ['40P01', false],
    [undefined, false],
  ])('SQLSTATE %s: %s', (code, expected) => {
    expect(isTimeoutError(Object.assign(new Error('it failed'), { code }))).toBe(expected);
  });

  test.each([undefined, null, '57014'])('%j: false', (error) => {
    expect(isTimeoutError(error)).toBe(false);
  });
});

describe('isDiskFullError', () => {
  test.each(['53100', '53200', '53400'])('SQLSTATE %s: true', (code) => {
    expect(isDiskFullError(failure(code))).toBe(true);
  });

  test.each([failure('53300'), failure('23505'), failure(), undefined])('%p: false', (error) => {
    expect(isDiskFullError(error)).toBe(false);
  });
});

describe('isConflictError', () => {
  test.each([
    ['a deadlock', failure('40P01'), true],
    ['a serialization failure', failure('40001'), true],
    ['a duplicate key', failure('23505'), false],
    ['a network error', failure('ECONNRESET'), false],
    ['a number', failure(40001), false],
    ['an error without a code', failure(), false],
    ['a text', '40P01', false],
    ['null', null, false],
  ])('%s: %s', (_case, error, expected) => {
    expect(isConflictError(error)).toBe(expected);
  });
});
