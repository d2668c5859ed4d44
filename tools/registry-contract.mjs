// The types of what goes over the registry's wire, generated from its API document: libs/registry-contract holds them.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';

export const CONTRACT_PATH = fileURLToPath(
  new URL('../libs/registry-contract/src/registry-api.ts', import.meta.url),
);

const HEADER = `/* eslint-disable max-lines -- generated */
// Generated from docs/openapi-registry.json; \`node tools/docs.mjs\` writes it.

`;

/**
 * The text of the generated file, formatted as the repository's code is.
 *
 * @param {object} [document] the API document; the one in docs by default
 */
export async function registryContract(document = documented()) {
  const types = await openapiTypescript(document, { immutable: true, defaultNonNullable: false });
  const options = { ...(await resolveConfig(CONTRACT_PATH)), filepath: CONTRACT_PATH };
  return format(HEADER + astToString(types), options);
}

function documented() {
  return JSON.parse(readFileSync(new URL('../docs/openapi-registry.json', import.meta.url), 'utf8'));
}
