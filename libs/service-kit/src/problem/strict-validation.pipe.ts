import { type ArgumentMetadata, type ValidationError, ValidationPipe } from '@nestjs/common';
import { Problem } from './problem.js';
import { toValidationProblem } from './validation-problem.js';

/** Names that Nest and class-transformer take out of a value before anything judges it. */
const DROPPED_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** The rule of class-validator for a name that a DTO does not have. */
const UNKNOWN_NAME = 'whitelistValidation';

/** Turns what came into DTOs, and refuses every name that they do not have: none is dropped silently. */
export class StrictValidationPipe extends ValidationPipe {
  constructor() {
    super({
      whitelist: true,
      forbidNonWhitelisted: true,
      transform: true,
      exceptionFactory: toValidationProblem,
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (this.toValidate(metadata)) {
      // The parent takes it for an empty object.
      if (value === null) throw new Problem({ status: 400, detail: 'Send a JSON object, not null.' });
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
