import type { ValidationError } from '@nestjs/common';
import { type FieldProblem, Problem } from './problem.js';

/** A DTO broke its rules: every field that did, at once. */
export function toValidationProblem(errors: ValidationError[]): Problem {
  const problems = errors.flatMap((error) => fieldProblems(error, ''));
  const detail = problems.map(({ field, message }) => `${field}: ${message}`).join('; ');
  return new Problem({ status: 400, detail, errors: problems });
}

function fieldProblems(error: ValidationError, parent: string): FieldProblem[] {
  const field = `${parent}/${error.property}`;
  const own = Object.entries(error.constraints ?? {}).map(([code, message]) => ({ field, code, message }));
  return [...own, ...(error.children ?? []).flatMap((child) => fieldProblems(child, field))];
}
