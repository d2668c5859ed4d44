import { type ArgumentMetadata, type ValidationError, ValidationPipe } from '@nestjs/common';
import { toFieldsProblem, toValidationProblem, UNKNOWN_NAME } from './validation-problem.js';

/** Names that Nest and class-transformer take out of a value before anything judges it. */
const DROPPED_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

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
        throw toFieldsProblem([NOT_AN_OBJECT]);
      }
      const errors = droppedNames(value);
      if (errors.length > 0) throw toValidationProblem(errors);
    }
    return super.transform(value, metadata);
  }
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
