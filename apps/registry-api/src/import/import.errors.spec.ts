import {
  BodyTooLargeError,
  ImportAbandonedError,
  ImportConflictError,
  ImportRefusedError,
  ImportUnderWayError,
  TooManyClientsError,
} from './import.errors.js';

test.each([
  ['some lines cannot be imported, so none was', new ImportRefusedError([])],
  ['the body is larger than 100 MiB', new BodyTooLargeError()],
  ['an import is of 250000 Clients at most', new TooManyClientsError(250_000)],
  ['another import is under way; try again when it has ended', new ImportUnderWayError()],
  ['a Client of the import was registered by somebody else meanwhile', new ImportConflictError()],
  ['the caller went away before the import ended', new ImportAbandonedError()],
])('%s', (message, error) => {
  expect(error.message).toBe(message);
});
