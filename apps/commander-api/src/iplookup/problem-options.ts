import { basename } from 'node:path';
import { type InputFault, LookupInputError, OutputFileError } from '@svc/iplookup-core';
import type { FieldProblem, ProblemOptions } from '@svc/service-kit';
import { toIplookupFailure } from './iplookup-failure.js';

/**
 * An error of lookups as an answer over HTTP, such as a thread can hand over. Folders of the server are none of a caller's
 * business.
 *
 * @returns undefined for errors that are none of ours
 */
export function toProblemOptions(error: unknown): ProblemOptions | undefined {
  const failure = toIplookupFailure(error);
  if (failure === undefined) return undefined;
  const { status, message } = failure;
  if (error instanceof OutputFileError) {
    return { status, detail: `${basename(error.path)} cannot be written: ${error.reason}` };
  }
  if (!(error instanceof LookupInputError)) return { status, detail: withParameterNames(message) };
  const [first = message, ...others] = message.split('\n');
  const more = others.length > 0 ? ` (and ${others.length} more lines, see errors)` : '';
  return {
    status,
    title: 'Invalid input',
    detail: withParameterNames(first) + more,
    errors: error.faults.map(toFieldProblem),
  };
}

/** `field` is the place in the input: row and column. */
function toFieldProblem({ row, column, text, reason }: InputFault): FieldProblem {
  const place = [row === undefined ? '' : `row ${row}`, column === undefined ? '' : `column ${column}`];
  return {
    field: place.filter(Boolean).join(', ') || 'input',
    code: 'invalid',
    message: text === undefined ? reason : `${JSON.stringify(text)} ${reason}`,
  };
}

/** Messages name options as the command line spells them. */
function withParameterNames(message: string): string {
  return message.replace(/--([a-z][a-z-]*)/g, (_, name: string) => name.replaceAll('-', '_'));
}
