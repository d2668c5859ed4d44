import { type ArgumentMetadata, type ValidationError, ValidationPipe } from '@nestjs/common';
import { ARRAY_MAX_SIZE, ARRAY_NOT_EMPTY, getMetadataStorage } from 'class-validator';
import { shortened } from '../text/shortened.js';
import { toViolationsProblem, toValidationProblem, UNKNOWN_NAME } from './validation-problem.js';

/** Names that Nest and class-transformer take out of a value before anything validates it. */
const DROPPED_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Rules of class-validator that only lists can meet. */
const LIST_RULES: ReadonlySet<string> = new Set([ARRAY_NOT_EMPTY, ARRAY_MAX_SIZE]);

/** What a list, null, or a bare value would be made of is not what was meant. */
const NOT_AN_OBJECT = { field: '', code: 'type', message: 'send a JSON object' };

/** Turns what came into DTOs, and refuses every name that they do not have: none is dropped silently. */
export class StrictValidationPipe extends ValidationPipe {
  constructor() {
    super({
      whitelist: true,
      forbidNonWhitelisted: true,
      transform: true,
      // Its rules are read from it; nothing of it goes into the answer.
      validationError: { target: true },
      exceptionFactory: toValidationProblem,
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (value !== undefined && this.toValidate(metadata)) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        throw toViolationsProblem([NOT_AN_OBJECT]);
      }
      const errors = droppedNames(value);
      if (errors.length > 0) throw toValidationProblem(errors);
      if (metadata.type === 'query') refuseRepeated(value, metadata.metatype);
    }
    return super.transform(value, metadata);
  }
}

/**
 * A parameter that is given twice, and is no list, would be refused for its type otherwise, which misleads.
 *
 * @throws {Problem} 400
 */
function refuseRepeated(query: object, metatype: ArgumentMetadata['metatype']): void {
  const repeated = Object.entries(query)
    .filter(([name, value]) => Array.isArray(value) && !isList(metatype, name))
    .map(([name]) => shortened(name));
  if (repeated.length === 0) return;
  throw toViolationsProblem(
    repeated.map((name) => ({
      field: `/${name}`,
      code: 'repeated',
      message: `${name} is given more than once`,
    })),
  );
}

/** Whether the DTO takes a list there: it has a rule for lists. */
function isList(metatype: ArgumentMetadata['metatype'], name: string): boolean {
  if (!metatype) return false;
  return getMetadataStorage()
    .getTargetValidationMetadatas(metatype, '', false, false)
    .some((rule) => rule.propertyName === name && LIST_RULES.has(rule.name ?? ''));
}

/** Recursion ends with the depth that the parser of bodies allows; a query has one level. */
function droppedNames(value: unknown): ValidationError[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([property, member]) => {
    if (DROPPED_NAMES.has(property)) return [unknownName(property)];
    const children = droppedNames(member);
    return children.length > 0 ? [{ property, children }] : [];
  });
}

function unknownName(property: string): ValidationError {
  return { property, constraints: { [UNKNOWN_NAME]: `property ${property} should not exist` } };
}
