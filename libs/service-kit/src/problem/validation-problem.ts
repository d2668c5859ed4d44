import type { ValidationError } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import { FIELD_RULES, OWN_RULE_CODE } from './field-rules.js';
import { Problem } from './problem.js';
import type { FieldProblem } from './problem-document.js';
import { shortened } from '../text/shortened.js';

/** More are counted, not listed; and so much is said of them in the detail: an answer stays readable, and short. */
const MAX_PROBLEMS = 200;
const MAX_DETAIL_LENGTH = 1_000;

/** The rule of class-validator for a name that a DTO does not have. */
export const UNKNOWN_NAME = 'whitelistValidation';

/** A DTO broke its rules: every field that did, at once, each with the first rule that it broke. */
export function toValidationProblem(errors: readonly ValidationError[]): Problem {
  return toFieldsProblem(toFieldProblems(errors));
}

/** What class-validator has found, in the words of this service: one fault for each field. */
export function toFieldProblems(errors: readonly ValidationError[]): FieldProblem[] {
  return errors.flatMap((error) => fieldProblems(error, ''));
}

/** The answer to a request with these faults. */
export function toFieldsProblem(problems: readonly FieldProblem[]): Problem {
  const surplus = problems.length - MAX_PROBLEMS;
  const rest = { field: '', code: 'more_problems', message: `there are ${surplus} more problems` };
  const errors = surplus > 0 ? [...problems.slice(0, MAX_PROBLEMS), rest] : problems;
  const detail = errors.map(({ field, message }) => `${field || 'the request'}: ${message}`).join('; ');
  return new Problem({ status: 400, detail: cut(detail), errors });
}

function cut(text: string): string {
  return text.length > MAX_DETAIL_LENGTH ? `${text.slice(0, MAX_DETAIL_LENGTH - 3)}...` : text;
}

function fieldProblems(error: ValidationError, parent: string): FieldProblem[] {
  const field = `${parent}/${shortened(error.property).replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const children = (error.children ?? []).flatMap((child) => fieldProblems(child, field));
  return error.constraints ? [{ field, ...faultOf(error, error.constraints) }, ...children] : children;
}

/** @param broken what class-validator says, by the names of its rules */
function faultOf(
  { property, value, target }: ValidationError,
  broken: Readonly<Record<string, string>>,
): Omit<FieldProblem, 'field'> {
  if (UNKNOWN_NAME in broken) {
    return { code: 'unknown_field', message: `'${shortened(property)}' is not known here` };
  }
  if (value === undefined) return { code: 'required', message: `${property} is required` };
  const name = [...FIELD_RULES.keys()].find((each) => each in broken);
  const rule = name === undefined ? undefined : FIELD_RULES.get(name);
  if (name === undefined || !rule) {
    return { code: OWN_RULE_CODE, message: Object.values(broken)[0] ?? `${property} is not valid` };
  }
  const declared = declarationOf(target, property, name);
  if (declared?.message !== undefined) return { code: rule.code, message: broken[name] ?? '' };
  const subject = declared?.each === true ? `each element of ${property}` : property;
  return { code: rule.code, message: `${subject} ${rule.words(declared?.constraints ?? [])}` };
}

/** How the DTO declares the rule: its limits, and words of its own. */
function declarationOf(target: object | undefined, property: string, name: string) {
  if (!target) return undefined;
  return getMetadataStorage()
    .getTargetValidationMetadatas(target.constructor, '', false, false)
    .find((rule) => rule.propertyName === property && rule.name === name);
}
