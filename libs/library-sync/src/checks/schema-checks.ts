import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { IgnoreList } from './ignore-list.js';
import type { SchemaRule } from './declaration-rules.js';

/** A violation of a schema at a place within a document. */
export interface Misfit {
  /** Keys and indexes from the root of the document. */
  readonly place: readonly string[];
  readonly message: string;
}

/** The schemas of a library, compiled. */
export class SchemaChecks {
  private readonly rules: readonly { files: IgnoreList; name: string; validate: ValidateFunction }[];

  /** @throws {RangeError} if a schema is invalid; it names the schema */
  constructor(rules: readonly SchemaRule[]) {
    // In draft 2020-12, `format` is only an annotation.
    const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false, logger: false });
    this.rules = rules.map(({ files, name, schema }) => ({
      files: new IgnoreList([files]),
      name,
      validate: compile(ajv, name, schema),
    }));
  }

  appliesTo(path: string): boolean {
    return this.rules.some(({ files }) => files.ignores(path, false));
  }

  check(path: string, value: unknown): Misfit[] {
    return this.rules
      .filter(({ files }) => files.ignores(path, false))
      .flatMap(({ name, validate }) => (validate(value) ? [] : (validate.errors ?? []).map(toMisfit(name))));
  }
}

function compile(ajv: Ajv2020, name: string, schema: unknown): ValidateFunction {
  try {
    return ajv.compile(schema as object);
  } catch (error) {
    throw new RangeError(`${name} is not a JSON Schema of draft 2020-12: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

const toMisfit =
  (name: string) =>
  (error: ErrorObject): Misfit => ({
    place: placeOf(error),
    message: `does not match ${name}: ${error.instancePath || 'the document'} ${error.message ?? error.keyword}${detailOf(error)}`,
  });

/** For an unexpected property, its own place rather than its parent's. */
function placeOf({ instancePath, params }: ErrorObject): string[] {
  const keys = instancePath
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const surplus = (params as { readonly additionalProperty?: string }).additionalProperty;
  return surplus === undefined ? keys : [...keys, surplus];
}

const MAX_DETAIL = 200;

/** Details that ajv's message omits. */
function detailOf({ keyword, params }: ErrorObject): string {
  const { allowedValues, allowedValue, additionalProperty } = params as Readonly<Record<string, unknown>>;
  const detail = { enum: allowedValues, const: allowedValue, additionalProperties: additionalProperty }[
    keyword
  ];
  return detail === undefined ? '' : ` (${(JSON.stringify(detail) ?? '').slice(0, MAX_DETAIL)})`;
}
