import {
  bodyTooLarge,
  importAbandoned,
  importConflict,
  importRefused,
  importUnderWay,
  tooManyClients,
  unexpectedDeleted,
} from './import.errors.js';

test.each([
  ['some lines cannot be imported, so none were', importRefused([])],
  ['the body is larger than 100 MiB', bodyTooLarge()],
  ['an import may contain at most 250000 clients', tooManyClients(250_000)],
  ['2 clients would be deleted instead of 1; nothing was changed', unexpectedDeleted(2, 1)],
  ['another import is running; try again when it has finished', importUnderWay()],
  ['another caller registered a client of the import in the meantime', importConflict()],
  ['the caller disconnected before the import finished', importAbandoned()],
])('%s', (message, error) => {
  expect(error.message).toBe(message);
});
