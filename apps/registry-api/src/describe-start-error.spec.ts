import { DatabaseUnavailableError } from './database/database-errors.js';
import { describeStartError } from './describe-start-error.js';

const SETTINGS = {
  ADDRESS: '127.0.0.1',
  PORT: 8081,
  DATA_DIR: '/var/svc',
  DATABASE_URL: 'postgres://me:s3cret@db.example:5432/registry',
};
const errorOf = (code: string, syscall?: string, message = 'words of the system') =>
  Object.assign(new Error(message), { code, ...(syscall && { syscall }) });

test.each([
  [
    errorOf('EADDRINUSE', 'listen'),
    /^PORT: 127\.0\.0\.1 port 8081 is already in use \(EADDRINUSE\); stop the other program/,
  ],
  [
    errorOf('EACCES', 'listen'),
    /^PORT: no permission to listen on 127\.0\.0\.1 port 8081 \(EACCES\); use a port from 1024 up$/,
  ],
  [
    errorOf('EADDRNOTAVAIL', 'listen'),
    /^ADDRESS: 127\.0\.0\.1 is not an address of this machine \(EADDRNOTAVAIL\); set one/,
  ],
  [
    errorOf('EINVAL', 'listen'),
    /^ADDRESS: 127\.0\.0\.1 is not an address of this machine \(EINVAL\); set one/,
  ],
  [
    errorOf('ECONNREFUSED', 'connect'),
    /^DATABASE_URL: PostgreSQL at db\.example:5432\/registry cannot be reached \(ECONNREFUSED\)/,
  ],
  [
    errorOf('ENOTFOUND', 'getaddrinfo'),
    /^DATABASE_URL: PostgreSQL at db\.example:5432\/registry cannot be reached \(ENOTFOUND\)/,
  ],
  [
    errorOf('28P01'),
    /^DATABASE_URL: PostgreSQL at \S+ rejected the user or the password \(28P01: words of the system\)$/,
  ],
  [errorOf('3D000'), /^DATABASE_URL: PostgreSQL at \S+ has no such database: create it \(3D000/],
  [errorOf('42501'), /^DATABASE_URL: PostgreSQL at \S+ denies the user permission for this: grant it/],
  [
    new Error('timeout exceeded when trying to connect'),
    /cannot be reached \(timeout exceeded when trying to connect\)/,
  ],
])('%s names the setting, the reason and the remedy, but no password', (error, expected) => {
  expect(describeStartError(error, SETTINGS)).toMatch(expected);
  expect(describeStartError(error, SETTINGS)).not.toContain('s3cret');
});

const NO_FILE = errorOf('ENOENT', 'open', "ENOENT: no such file or directory, open '/ca.pem'");

test.each([
  [
    'its own',
    new DatabaseUnavailableError(NO_FILE),
    `DATABASE_URL: a file for the connection to PostgreSQL cannot be read: `,
  ],
  ['another', NO_FILE, ''],
])('a file that is not there is named, and PostgreSQL only for its own files: %s', (_case, error, place) => {
  expect(describeStartError(error, SETTINGS)).toBe(`${place}${NO_FILE.message}`);
});

test.each(['EACCES', 'ENOENT', 'ENOTDIR', 'EROFS'])('a file in DATA_DIR that fails with %s', (code) => {
  const errorAt = (path: string) => Object.assign(errorOf(code, 'open'), { path });
  expect(describeStartError(errorAt('/var/svc/secret-pepper.1'), SETTINGS)).toBe(
    'DATA_DIR: words of the system; let the user of this process write to the folder, or set another DATA_DIR',
  );
  expect(describeStartError(errorAt('/var/svc-2/file'), SETTINGS)).toBe('words of the system');
});

test('a Unix socket that is not there is one that cannot be reached', () => {
  const error = new DatabaseUnavailableError(errorOf('ENOENT', 'connect'));
  expect(describeStartError(error, SETTINGS)).toMatch(/cannot be reached \(ENOENT\); is it running/);
});

test('a host name that does not resolve is reported as ADDRESS', () => {
  expect(
    describeStartError(errorOf('ENOTFOUND', 'getaddrinfo'), { ...SETTINGS, ADDRESS: 'nowhere.example' }),
  ).toMatch(/^ADDRESS: nowhere\.example is not an address of this machine \(ENOTFOUND\)/);
});

test('any other error is reported as it is', () => {
  expect(describeStartError(new Error('the folder is in use'), SETTINGS)).toBe('the folder is in use');
  expect(
    describeStartError(errorOf('ECONNREFUSED', 'connect'), {
      ADDRESS: '::1',
      PORT: 1,
      DATA_DIR: '/var/svc',
      DATABASE_URL: undefined,
    }),
  ).toBe('words of the system');
  expect(describeStartError('a word')).toBe('a word');
});
