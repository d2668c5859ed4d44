import type { ValidationError } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import { FIELD_RULES, OWN_RULE_CODE } from './field-rules.js';
import { Problem } from './problem.js';
import { pointerTo } from '@svc/foundation';
import type { Violation } from './problem-document.js';
import { shortened } from '../text/shortened.js';

/** More are counted, not listed; and so much is said of them in the detail: an answer stays readable, and short. */
const MAX_VIOLATIONS = 200;
const MAX_DETAIL_LENGTH = 1_000;

/** The rule of class-validator for a name that a DTO does not have. */
export const UNKNOWN_NAME = 'whitelistValidation';

/** A DTO broke its rules: every field that did, at once, each with the first rule that it broke. */
export function toValidationProblem(errors: readonly ValidationError[]): Problem {
  return toViolationsProblem(toViolations(errors));
}

/** What class-validator has found, in the words of this service: one violation for each field. */
export function toViolations(errors: readonly ValidationError[]): Violation[] {
  return errors.flatMap((error) => violationsOf(error, ''));
}

/** The answer to a request with these violations. */
export function toViolationsProblem(violations: readonly Violation[]): Problem {
  const surplus = violations.length - MAX_VIOLATIONS;
  const rest = { field: '', code: 'more_problems', message: `there are ${surplus} more problems` };
  const errors = surplus > 0 ? [...violations.slice(0, MAX_VIOLATIONS), rest] : violations;
  const detail = errors.map(({ field, message }) => `${field || 'the request'}: ${message}`).join('; ');
  return new Problem({ status: 400, detail: cut(detail), errors });
}

function cut(text: string): string {
  return text.length > MAX_DETAIL_LENGTH ? `${text.slice(0, MAX_DETAIL_LENGTH - 3)}...` : text;
}

function violationsOf(error: ValidationError, parent: string): Violation[] {
  const field = parent + pointerTo(shortened(error.property));
  const children = (error.children ?? []).flatMap((child) => violationsOf(child, field));
  return error.constraints
    ? [{ field, ...ruleViolationOf(error, error.constraints) }, ...children]
    : children;
}

/** @param broken what class-validator says, by the names of its rules */
function ruleViolationOf(
  { property, value, target }: ValidationError,
  broken: Readonly<Record<string, string>>,
): Omit<Violation, 'field'> {
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
