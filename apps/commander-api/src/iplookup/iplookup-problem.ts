import type { InputFault } from '@svc/iplookup-core';
import { Problem } from '@svc/service-kit';
import { type IplookupFailure, toIplookupFailure } from './iplookup-failure.js';

/** An error of lookups as an answer; errors that are none of ours pass as they are. */
export function toIplookupProblem(error: unknown): unknown {
  const failure = toIplookupFailure(error);
  return failure ? problemOf(failure, [], error) : error;
}

/** @param faults of the input, which become the problem's `errors` */
export function problemOf(
  { status, message }: IplookupFailure,
  faults: readonly InputFault[],
  cause?: unknown,
): Problem {
  const [first = message, ...others] = message.split('\n');
  const more = others.length > 0 ? ` (and ${others.length} more lines, see errors)` : '';
  return new Problem({
    status,
    detail: withParameterNames(first) + more,
    ...(cause === undefined ? {} : { cause }),
    ...(faults.length > 0 && { title: 'Invalid input', errors: faults.map(toFieldProblem) }),
  });
}

/** `field` is the place in the input: row and column. */
function toFieldProblem({ row, column, text, reason }: InputFault) {
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
