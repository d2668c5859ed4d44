import type { ApiPropertyOptions } from '@nestjs/swagger';

interface Described {
  readonly target: object;
  readonly name: string | symbol;
  readonly description: ApiPropertyOptions;
}

const described: Described[] = [];

/**
 * An optional parameter: its description in the API document, including its type, and its validation rules.
 *
 * Only the server generates the document. The command line validates declared lookups by the same rules, and loading Nest for
 * that would take more memory than most builds need.
 */
export const Parameter =
  (description: ApiPropertyOptions, ...rules: readonly PropertyDecorator[]): PropertyDecorator =>
  (target, name) => {
    described.push({ target, name, description });
    for (const rule of rules) rule(target, name);
  };

/** Adds the parameters to the API document. @param describe Nest's decorator */
export function describeParameters(describe: (description: ApiPropertyOptions) => PropertyDecorator): void {
  for (const { target, name, description } of described) describe(description)(target, name);
}
