import { z } from 'zod';
import { fileValue } from './text.js';

/** Variables by name, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment is invalid. Lists all violations, not just the first. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  /** @param violations one line each: the variable's name and what is wrong, never the value */
  constructor(readonly violations: readonly string[]) {
    super(`invalid configuration:\n${violations.map((violation) => `  ${violation}`).join('\n')}`);
  }
}

/**
 * Reads a service's configuration once, at start. A variable `NAME` may be given by `NAME_FILE` instead: the path
 * of a file that holds the value (a trailing line break is dropped), which is how containers hand over secrets.
 * A variable or file that is empty or blank counts as not set.
 *
 * @param readFile how a `NAME_FILE` is read; throws when it cannot be
 * @throws {ConfigError} that names each invalid variable, but never a value, which may be secret
 */
export function readConfig<T extends z.ZodObject>(
  schema: T,
  environment: Environment,
  readFile: (path: string) => string,
): Readonly<z.infer<T>> {
  const violations: string[] = [];
  const values: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const value = valueOf(name, environment, readFile, violations);
    if (value !== undefined) values[name] = value;
  }
  const result = schema.safeParse(values);
  for (const issue of result.error?.issues ?? []) {
    const name = issue.path.join('.');
    if (
      !violations.some(
        (violation) => violation.startsWith(`${name}:`) || violation.startsWith(`${name}_FILE:`),
      )
    ) {
      violations.push(`${name}: ${values[name] === undefined ? 'is required' : issue.message}`);
    }
  }
  if (violations.length > 0 || !result.success) throw new ConfigError(violations);
  return Object.freeze(result.data);
}

function valueOf(
  name: string,
  environment: Environment,
  readFile: (path: string) => string,
  violations: string[],
): string | undefined {
  const direct = variableOf(environment, name);
  const path = variableOf(environment, `${name}_FILE`);
  if (path === undefined) return direct;
  if (direct !== undefined) {
    violations.push(`${name}: is set both directly and by ${name}_FILE; keep one of them`);
    return undefined;
  }
  try {
    return unlessBlank(fileValue(readFile(path)));
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    violations.push(`${name}_FILE: cannot read the file it names (${reason})`);
    return undefined;
  }
}

/** @returns undefined if the variable is not set, empty or blank */
export function variableOf(environment: Environment, name: string): string | undefined {
  return unlessBlank(environment[name]);
}

function unlessBlank(text: string | undefined): string | undefined {
  return text?.trim() ? text : undefined;
}

/** A variable that is a number without a sign, a fraction or an exponent, within these bounds. */
export function wholeNumber(min: number, max: number) {
  return z.string().transform((text, context): number => {
    const digits = text.trim();
    const number = Number(digits);
    if (/^\d+$/.test(digits) && number >= min && number <= max) return number;
    context.addIssue({ code: 'custom', message: `must be a whole number from ${min} to ${max}` });
    return z.NEVER;
  });
}
