// Generates libs/registry-contract, the types of the registry's HTTP API, from its API document.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CLIENT_FIELDS, DEFAULT_CAPABILITIES, fieldSchema } from '@svc/client-metadata';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';

export const CONTRACT_PATH = fileURLToPath(
  new URL('../libs/registry-contract/src/registry-api.ts', import.meta.url),
);

const HEADER = `/* eslint-disable max-lines -- generated */
// Generated from docs/openapi-registry.json; \`node tools/docs.mjs\` writes it.

`;

/**
 * The generated file's text, formatted like the repository's code.
 *
 * @param {object} [document] the API document; the one in docs by default
 */
export async function registryContract(document = documented()) {
  const { components } = document;
  const schemas = { ...components.schemas, Client: anyClient(components.schemas.Client) };
  const types = await openapiTypescript(
    { ...document, components: { ...components, schemas } },
    { immutable: true, defaultNonNullable: false },
  );
  const options = { ...(await resolveConfig(CONTRACT_PATH)), filepath: CONTRACT_PATH };
  return format(HEADER + astToString(types), options);
}

/**
 * A Client of any registry: the document lists the values and fields that one registry is configured to support. The members are
 * those of this version alone, so that a misspelt name is a mistake.
 */
function anyClient(schema) {
  const { properties } = schema;
  const extended = CLIENT_FIELDS.filter(({ optionalValues }) => optionalValues).map(
    ({ name, values = [], optionalValues = [] }) => {
      const { items, ...property } = properties[name];
      const all = { enum: [...values, ...optionalValues] };
      return [name, items ? { ...property, items: { ...items, ...all } } : { ...property, ...all }];
    },
  );
  const optional = CLIENT_FIELDS.filter((field) => field.optional).map((field) => [
    field.name,
    fieldSchema(field, DEFAULT_CAPABILITIES),
  ]);
  return {
    ...schema,
    additionalProperties: false,
    properties: { ...properties, ...Object.fromEntries([...extended, ...optional]) },
  };
}

function documented() {
  return JSON.parse(readFileSync(new URL('../docs/openapi-registry.json', import.meta.url), 'utf8'));
}
