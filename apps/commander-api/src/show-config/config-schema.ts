import type { ConfigKey, ConfigType } from '../config/config-key.js';
import { GROUPS, NAME_PATTERN, namedKeys } from '../config/named-sections.js';

type Schema = Readonly<Record<string, unknown>>;

/** What each type takes, as YAML has it. Null means not set, everywhere. */
const TYPES: Readonly<Record<Extract<ConfigType, string>, Schema>> = {
  text: { type: ['string', 'number', 'null'] },
  path: { type: ['string', 'null'] },
  location: { type: ['string', 'null'] },
  key: { type: ['string', 'null'] },
  command: { type: ['string', 'null'] },
  paths: { type: ['string', 'array', 'null'], items: { type: 'string' } },
  list: { type: ['string', 'array', 'null'], items: { type: 'string' } },
  networks: { type: ['string', 'array', 'null'], items: { type: 'string' } },
  schemas: { type: ['string', 'array', 'null'], items: { type: 'string' } },
  port: { type: ['integer', 'string', 'null'], minimum: 0, maximum: 65_535, pattern: '^\\d{1,5}$' },
  duration: {
    type: ['number', 'string', 'null'],
    exclusiveMinimum: 0,
    pattern: '^\\d+(\\.\\d+)?\\s*(ms|s|m|h|d)?$',
  },
  bytes: { type: ['integer', 'string', 'null'], minimum: 1, pattern: '^[1-9]\\d{0,14}$' },
  switch: { enum: ['yes', 'no', 'true', 'false', 'on', 'off', '1', '0', true, false, 1, 0, null] },
};

/** The JSON Schema of a configuration file in YAML, for completion and validation in editors. */
export function configSchema(keys: readonly ConfigKey[]): Schema {
  const sections = [...new Set(keys.map(({ section }) => section))];
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Configuration of svccmd and its server',
    type: ['object', 'null'],
    additionalProperties: false,
    properties: Object.fromEntries(
      sections.map((section) => [section, sectionSchema(keys.filter((key) => key.section === section))]),
    ),
    patternProperties: Object.fromEntries(
      GROUPS.map((group) => [`^${group}:${NAME_PATTERN}$`, sectionSchema(namedKeys(`${group}:x`))]),
    ),
  };
}

function sectionSchema(keys: readonly ConfigKey[]): Schema {
  return {
    type: ['object', 'null'],
    additionalProperties: false,
    properties: Object.fromEntries(keys.map((key) => [key.key, keySchema(key)])),
  };
}

function keySchema({ type, description, default: preset, example, secret }: ConfigKey): Schema {
  return {
    description,
    ...schemaOf(type),
    ...(preset && { default: preset }),
    ...(example !== undefined && { examples: [example] }),
    ...(secret && { writeOnly: true }),
  };
}

function schemaOf(type: ConfigType): Schema {
  if (typeof type === 'string') return TYPES[type];
  if ('oneOf' in type) return { enum: [...type.oneOf, null] };
  const { from, to } = type;
  return { type: ['integer', 'string', 'null'], minimum: from, maximum: to, pattern: '^\\d{1,4}$' };
}
