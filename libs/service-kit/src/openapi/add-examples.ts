import type { OpenAPIObject } from '@nestjs/swagger';

/** The JSON Schema keywords from which an example is built. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly example?: unknown;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

interface MediaType {
  readonly schema?: Schema;
  example?: unknown;
}

interface Operation {
  readonly requestBody?: { readonly content?: Readonly<Record<string, MediaType>> };
  readonly responses?: Readonly<Record<string, { readonly content?: Readonly<Record<string, MediaType>> }>>;
}

/** Adds an example to each request body and each successful response, built from the examples of its members. */
export function addExamples(document: OpenAPIObject): OpenAPIObject {
  const completed = structuredClone(document);
  const schemas = (completed.components?.schemas ?? {}) as Readonly<Record<string, Schema>>;
  const operations = Object.values(completed.paths).flatMap((item) => Object.values(item as object));
  for (const { requestBody, responses = {} } of operations as Operation[]) {
    const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
    for (const { content = {} } of [...successes.map(([, response]) => response), requestBody ?? {}]) {
      for (const mediaType of Object.values(content)) addExample(mediaType, schemas);
    }
  }
  return completed;
}

function addExample(mediaType: MediaType, schemas: Readonly<Record<string, Schema>>): void {
  if (mediaType.example !== undefined || !mediaType.schema) return;
  const example = exampleOf(mediaType.schema, schemas);
  if (example !== undefined) mediaType.example = example;
}

/** @returns `undefined` if the schema has no example, and its required members do not all have one */
function exampleOf(schema: Schema, schemas: Readonly<Record<string, Schema>>): unknown {
  const own = [schema.example, schema.default, schema.enum?.[0]].find((value) => value !== undefined);
  if (own !== undefined) return own;
  const { $ref, allOf, items, properties } = schema;
  const referred = $ref === undefined ? undefined : schemas[$ref.replace('#/components/schemas/', '')];
  if (referred) return exampleOf(referred, schemas);
  const [choice] = schema.oneOf ?? schema.anyOf ?? [];
  if (choice) return exampleOf(choice, schemas);
  if (allOf) {
    const parts = properties ? [...allOf, { properties }] : allOf;
    const examples = parts.map((part) => exampleOf(part, schemas)).filter((example) => example !== undefined);
    return examples.length > 0 ? Object.assign({}, ...examples) : undefined;
  }
  if (items) {
    const item = exampleOf(items, schemas);
    return item === undefined ? undefined : [item];
  }
  if (!properties) return schema.type === 'boolean' ? true : undefined;
  const members = Object.entries(properties)
    .map(([name, member]) => [name, exampleOf(member, schemas)] as const)
    .filter(([, value]) => value !== undefined);
  const names = new Set(members.map(([name]) => name));
  return schema.required?.every((name) => names.has(name)) === false
    ? undefined
    : Object.fromEntries(members);
}
