import { basename } from 'node:path';
import {
  describeFault,
  type InputFault,
  inWords,
  LookupInputError,
  LookupOptionError,
  OutputFileError,
  spellFault,
} from '@svc/iplookup-core';
import type { FieldProblem, ProblemOptions } from '@svc/service-kit';
import { toIplookupFailure } from './iplookup-failure.js';
import { asParameter } from './parameter-name.js';

/**
 * An error of lookups as an answer over HTTP, such as a thread can hand over. Options are named as parameters; folders of
 * the server are none of a caller's business.
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
  if (error instanceof LookupOptionError) return { status, detail: inWords(error.wording, asParameter) };
  if (error instanceof LookupInputError) return { status, ...toFaultList(error) };
  return { status, detail: message };
}

function toFaultList({ faults, count }: LookupInputError): Omit<ProblemOptions, 'status'> {
  const spelled = faults.map((fault) => spellFault(fault, asParameter));
  const more = count > 1 ? ` (and ${count - 1} more, see errors)` : '';
  const detail = spelled.slice(0, 1).map((fault) => describeFault(fault) + more);
  return { title: 'Invalid input', detail: detail.join(''), errors: spelled.map(toFieldProblem) };
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
