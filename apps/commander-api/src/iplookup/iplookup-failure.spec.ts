import {
  InputFileError,
  LookupFormatError,
  LookupInputError,
  LookupOptionError,
  LookupTooLargeError,
  TooManyColumnsError,
} from '@svc/iplookup-core';
import { CommandError } from '../errors/command-error.js';
import { orCommandError, toIplookupFailure } from './iplookup-failure.js';

test.each([
  [new LookupOptionError('options'), 2],
  [new LookupInputError([{ file: 'a.csv', reason: 'is empty' }]), 1],
  [new InputFileError('input'), 1],
  [new LookupTooLargeError('the values need more than 4 GiB'), 1],
  [new TooManyColumnsError(), 1],
  [new LookupFormatError('format'), 1],
  [new CommandError('a setting is missing', 3), 3],
] as const)('%s ends a command with %d', async (error, exitCode) => {
  await expect(orCommandError(() => Promise.reject(error))).rejects.toMatchObject({
    name: 'CommandError',
    exitCode,
    message: error.message,
  });
});

test('a bug stays what it is', async () => {
  const bug = new TypeError('x is not a function');
  expect(toIplookupFailure(bug)).toBeUndefined();
  await expect(orCommandError(() => Promise.reject(bug))).rejects.toBe(bug);
});
