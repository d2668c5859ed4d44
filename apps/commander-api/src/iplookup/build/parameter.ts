import type { ApiPropertyOptions } from '@nestjs/swagger';

interface Described {
  readonly target: object;
  readonly name: string | symbol;
  readonly description: ApiPropertyOptions;
}

const described: Described[] = [];

/**
 * An optional parameter: what the API document says about it, its type included, and its rules.
 *
 * Only the server makes the document. The command line checks declared lookups by the same rules, and loading Nest for that would
 * cost more memory than most builds need.
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
