import { basename } from 'node:path';
import {
  describeViolation,
  InputFileError,
  type InputViolation,
  formatMessage,
  LookupFormatError,
  LookupGuardError,
  LookupInputError,
  LookupOptionError,
  LookupTooLargeError,
  OutputFileError,
  nameOptions,
  TooManyColumnsError,
} from '@svc/iplookup-core';
import type { Violation } from '@svc/service-kit';
import { CommanderError, type ErrorCode } from '../../errors/commander-error.js';
import { asParameter } from './http-names.js';

/** Runs a job. Converts errors of lookups to {@link CommanderError}; bugs and aborts are rethrown. */
export async function withLookupErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw toLookupError(error) ?? error;
  }
}

/** @returns undefined for a bug or an abort */
export function toLookupError(error: unknown): CommanderError | undefined {
  if (error instanceof CommanderError) return error;
  const code = codeOf(error);
  if (code === undefined) return undefined;
  return new CommanderError(code, (error as Error).message.split('\n'), {
    cause: error,
    ...inHttpTerms(error),
  });
}

function codeOf(error: unknown): ErrorCode | undefined {
  if (error instanceof LookupOptionError) return 'invalid_option';
  if (error instanceof LookupInputError) return 'invalid_input';
  if (error instanceof LookupGuardError) return 'guard_failed';
  if (error instanceof InputFileError) return error.missing ? 'input_not_found' : 'unusable_input';
  if (error instanceof LookupTooLargeError) return 'input_too_large';
  if (error instanceof OutputFileError) return error.lacksRoom ? 'disk_full' : 'failed';
  if (error instanceof TooManyColumnsError) return 'unusable_input';
  return error instanceof LookupFormatError ? 'failed' : undefined;
}

interface HttpTerms {
  readonly detail?: string;
  readonly violations?: readonly Violation[];
}

/** HTTP callers know options as parameters, and must not learn the server's folders. */
function inHttpTerms(error: unknown): HttpTerms {
  if (error instanceof OutputFileError) {
    return { detail: `${basename(error.path)} cannot be written: ${error.reason}` };
  }
  if (error instanceof LookupOptionError) return { detail: formatMessage(error.template, asParameter) };
  if (error instanceof LookupGuardError) return describeGuards(error);
  return error instanceof LookupInputError ? describeInput(error) : {};
}

function describeGuards({ lookup, failed, hasFormer }: LookupGuardError): HttpTerms {
  const guards = failed.length === 1 ? 'a guard' : `${failed.length} guards`;
  const violations = failed.map(({ guard, limit, found }) => ({
    field: asParameter({ option: guard }),
    code: 'guard',
    message: limit === undefined ? found : `${limit}: ${found}`,
  }));
  const outcome = hasFormer ? 'the previous one was kept' : 'no lookup was written';
  return {
    detail: `The new lookup ${lookup} fails ${guards} (see errors); ${outcome}.`,
    violations,
  };
}

function describeInput({ violations, count }: LookupInputError): HttpTerms {
  const spelled = violations.map((violation) => nameOptions(violation, asParameter));
  const more = count > 1 ? ` (and ${count - 1} more, see errors)` : '';
  const [first] = spelled;
  return { detail: first ? describeViolation(first) + more : '', violations: spelled.map(toViolation) };
}

/** `field` is the place in the input: row and column. */
function toViolation({ row, column, text, reason }: InputViolation): Violation {
  const place = [row === undefined ? '' : `row ${row}`, column === undefined ? '' : `column ${column}`];
  return {
    field: place.filter(Boolean).join(', ') || 'input',
    code: 'invalid',
    message: text === undefined ? reason : `${JSON.stringify(text)} ${reason}`,
  };
}
