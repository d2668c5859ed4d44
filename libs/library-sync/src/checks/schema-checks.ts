import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { IgnoreList } from './ignore-list.js';
import type { LibraryFinding } from '../ports/library-finding.js';
import type { SchemaRule } from './declaration-rules.js';

/** A violation of a schema at a place within a document. */
export interface Misfit {
  /** Keys and indexes from the root of the document. */
  readonly place: readonly string[];
  readonly message: string;
}

/** The schemas of a library, compiled. */
export class SchemaChecks {
  private readonly rules: readonly (SchemaRule & { list: IgnoreList; validate: ValidateFunction })[];

  /** @throws {RangeError} if a schema is invalid; it names the schema */
  constructor(rules: readonly SchemaRule[]) {
    // In draft 2020-12, `format` is only an annotation.
    const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false, logger: false });
    this.rules = rules.map((rule) => ({
      ...rule,
      list: new IgnoreList([rule.files]),
      validate: compile(ajv, rule),
    }));
  }

  appliesTo(path: string): boolean {
    return this.rules.some(({ list }) => list.ignores(path, false));
  }

  check(path: string, value: unknown): Misfit[] {
    return this.rules
      .filter(({ list }) => list.ignores(path, false))
      .flatMap(({ name, validate }) => misfitsOf(name, validate, value));
  }

  /** Rules that check nothing, probably by mistake. @param paths of the library's files */
  unused(paths: Iterable<string>): LibraryFinding[] {
    let unused = this.rules;
    for (const path of paths) {
      if (unused.length === 0) return [];
      if (CHECKED.test(path)) unused = unused.filter(({ list }) => !list.ignores(path, false));
    }
    return unused.map(({ files, name }) => ({
      severity: 'warning',
      path: '',
      code: 'schema-unused',
      message: `no YAML or JSON file matches ${JSON.stringify(files)}, so nothing is checked against ${name}; correct validate.schemas`,
    }));
  }
}

const CHECKED = /\.(?:ya?ml|json)$/i;

function compile(ajv: Ajv2020, { name, schema }: SchemaRule): ValidateFunction {
  const invalid = (message: string, cause?: unknown): RangeError =>
    new RangeError(`${name} is not a JSON Schema of draft 2020-12: ${message}`, { cause });
  if (typeof schema !== 'boolean' && (typeof schema !== 'object' || schema === null || Array.isArray(schema)))
    throw invalid('it must be an object, true or false');
  try {
    return ajv.compile(schema);
  } catch (error) {
    throw invalid((error as Error).message, error);
  } finally {
    // Schemas are independent: the same one, or one with the same $id, may follow.
    ajv.removeSchema();
  }
}

function misfitsOf(name: string, validate: ValidateFunction, value: unknown): Misfit[] {
  try {
    return validate(value) ? [] : (validate.errors ?? []).map(toMisfit(name));
  } catch (error) {
    // It refers to itself without end, or the value is nested too deeply.
    if (!(error instanceof RangeError)) throw error;
    return [{ place: [], message: `cannot be checked against ${name}: ${error.message}` }];
  }
}

const toMisfit =
  (name: string) =>
  (error: ErrorObject): Misfit => ({
    place: placeOf(error),
    message: `does not match ${name}: ${error.instancePath || 'the document'} ${error.message ?? error.keyword}${detailOf(error)}`,
  });

interface Params {
  readonly allowedValues?: unknown;
  readonly allowedValue?: unknown;
  readonly additionalProperty?: string;
  readonly unevaluatedProperty?: string;
  readonly propertyName?: string;
}

/** For an unexpected property, its own place rather than its parent's. */
function placeOf(error: ErrorObject): string[] {
  const keys = error.instancePath
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const property = propertyOf(error);
  return property === undefined ? keys : [...keys, property];
}

/** The property that should not be there, or has a wrong name. */
function propertyOf({ params, propertyName }: ErrorObject): string | undefined {
  const { additionalProperty, unevaluatedProperty, propertyName: named } = params as Params;
  return additionalProperty ?? unevaluatedProperty ?? named ?? propertyName;
}

const MAX_DETAIL = 200;

/** Details that ajv's message omits. */
function detailOf(error: ErrorObject): string {
  const { allowedValues, allowedValue } = error.params as Params;
  const values = { enum: allowedValues, const: allowedValue }[error.keyword];
  const detail = values ?? propertyOf(error);
  return detail === undefined ? '' : ` (${(JSON.stringify(detail) ?? '').slice(0, MAX_DETAIL)})`;
}
