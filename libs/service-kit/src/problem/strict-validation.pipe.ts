import { type ArgumentMetadata, type ValidationError, ValidationPipe } from '@nestjs/common';
import { ARRAY_MAX_SIZE, ARRAY_NOT_EMPTY, IS_ARRAY, getMetadataStorage } from 'class-validator';
import { shortened } from '@svc/foundation';
import { toViolationsProblem, toValidationProblem, UNKNOWN_NAME } from './validation-problem.js';

/** Names that Nest and class-transformer silently remove before validation. */
const DROPPED_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** class-validator's rules for arrays. */
const LIST_RULES: ReadonlySet<string> = new Set([IS_ARRAY, ARRAY_NOT_EMPTY, ARRAY_MAX_SIZE]);

const NOT_AN_OBJECT = { field: '', code: 'type', message: 'send a JSON object' };

/** Turns bodies and queries into DTOs, and refuses unknown names rather than drop them silently. */
export class StrictValidationPipe extends ValidationPipe {
  constructor() {
    super({
      whitelist: true,
      forbidNonWhitelisted: true,
      transform: true,
      // `toViolations` reads the target's rules; the answer does not contain it.
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
 * Refuses repeated parameters that are not lists. Otherwise they would be refused for their type, which would mislead.
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

/** Whether the DTO has a rule for lists there. */
function isList(metatype: ArgumentMetadata['metatype'], name: string): boolean {
  if (!metatype) return false;
  return getMetadataStorage()
    .getTargetValidationMetadatas(metatype, '', false, false)
    .some((rule) => rule.propertyName === name && LIST_RULES.has(rule.name ?? ''));
}

/** Recursion is bounded, because the JSON parser limits the depth, and a query has one level. */
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
