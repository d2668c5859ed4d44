import {
  InputFileError,
  LookupFormatError,
  LookupInputError,
  LookupOptionError,
  LookupTooLargeError,
  TooManyColumnsError,
} from '@svc/iplookup-core';
import { CommanderError } from '../../errors/commander-error.js';
import { toLookupError, withLookupErrors } from './iplookup.errors.js';

test.each([
  [new LookupOptionError('options'), 2],
  [new LookupInputError([{ file: 'a.csv', reason: 'is empty' }]), 1],
  [new InputFileError('input'), 1],
  [new LookupTooLargeError('the values need more than 4 GiB'), 1],
  [new TooManyColumnsError(), 1],
  [new LookupFormatError('format'), 1],
  [new CommanderError('configuration', 'a setting is missing'), 3],
] as const)('%s ends a command with %d', async (error, exitCode) => {
  await expect(withLookupErrors(() => Promise.reject(error))).rejects.toMatchObject({
    name: 'CommanderError',
    exitCode,
    message: error.message,
  });
});

test('a bug is not converted', async () => {
  const bug = new TypeError('x is not a function');
  expect(toLookupError(bug)).toBeUndefined();
  await expect(withLookupErrors(() => Promise.reject(bug))).rejects.toBe(bug);
});
