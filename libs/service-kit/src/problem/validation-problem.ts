import type { ValidationError } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import { Problem } from './problem.js';
import { limitViolations, pointerTo, shortened } from '@svc/foundation';
import type { Violation } from './problem-document.js';

const MAX_DETAIL_LENGTH = 1_000;

/** class-validator's rule for unknown names. */
export const UNKNOWN_NAME = 'whitelistValidation';

/** The answer to a DTO that broke its rules: all its invalid fields, each with the first rule that it broke. */
export function toValidationProblem(errors: readonly ValidationError[]): Problem {
  return toViolationsProblem(toViolations(errors));
}

/** class-validator's findings as violations, one for each field. */
export function toViolations(errors: readonly ValidationError[]): Violation[] {
  return errors.flatMap((error) => violationsOf(error, ''));
}

/** The answer to a request with these violations. */
export function toViolationsProblem(violations: readonly Violation[]): Problem {
  const errors = limitViolations(violations);
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

/** @param broken class-validator's messages by rule */
function ruleViolationOf(
  { property, value, target }: ValidationError,
  broken: Readonly<Record<string, string>>,
): Omit<Violation, 'field'> {
  if (UNKNOWN_NAME in broken) {
    return { code: 'unknown_field', message: `'${shortened(property)}' is not supported` };
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

/** How the DTO declares the rule: its limits and its own message. */
function declarationOf(target: object | undefined, property: string, name: string) {
  if (!target) return undefined;
  return getMetadataStorage()
    .getTargetValidationMetadatas(target.constructor, '', false, false)
    .find((rule) => rule.propertyName === property && rule.name === name);
}

/** Our code and message for one of class-validator's rules. */
interface FieldRule {
  /** As in client-metadata, if that has the same rule. */
  readonly code: string;
  /** @param limits of the rule, such as the largest number @returns the message after the field's name */
  readonly words: (limits: readonly unknown[]) => string;
}

/** By class-validator's names. If a field breaks several rules, the first in this table is reported. */
const FIELD_RULES: ReadonlyMap<string, FieldRule> = new Map<string, FieldRule>([
  ['isString', { code: 'type', words: () => 'must be a string' }],
  ['isInt', { code: 'type', words: () => 'must be a whole number' }],
  ['isBoolean', { code: 'type', words: () => 'must be true or false' }],
  ['isDate', { code: 'type', words: () => 'must be a time' }],
  ['isArray', { code: 'type', words: () => 'must be a list' }],
  ['isObject', { code: 'type', words: () => 'must be a JSON object' }],
  ['min', { code: 'too_small', words: ([least]) => `must be at least ${String(least)}` }],
  ['max', { code: 'too_large', words: ([most]) => `must be at most ${String(most)}` }],
  [
    'isLength',
    {
      code: 'length',
      words: ([least, most]) => `must be ${String(least)} to ${String(most)} characters long`,
    },
  ],
  ['maxLength', { code: 'too_long', words: ([most]) => `must be at most ${String(most)} characters long` }],
  ['arrayNotEmpty', { code: 'too_few', words: () => 'must have at least 1 element' }],
  ['arrayMaxSize', { code: 'too_many', words: ([most]) => `must have at most ${String(most)} elements` }],
  ['isIn', { code: 'value_not_supported', words: ([values]) => `must be one of ${listed(values)}` }],
  ['arrayUnique', { code: 'duplicate', words: () => 'must not contain duplicates' }],
  ['matches', { code: 'format', words: ([pattern]) => `must match ${String(pattern)}` }],
]);

/** The code of a service's custom rules, which have their own messages. */
const OWN_RULE_CODE = 'format';

/** Omits the empty string, which is what a query parameter without a value means. */
function listed(values: unknown): string {
  return (values as readonly unknown[]).filter((value) => value !== '').join(', ');
}
