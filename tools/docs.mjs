// Writes the parts of the documentation generated from code; tests check that they are up to date.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { build } from './build.mjs';
import { bundleNotices, licenceTables } from './licences/notices.mjs';

// First what the contract rests on: the commander is built with the contract.
build('registry-api', 'test-servers');
const { commanderDocument, registryDocument } = await import('./api-documents.mjs');
const { CONTRACT_PATH, registryContract } = await import('./registry-contract.mjs');
const registry = await registryDocument();
await write('openapi-registry.json', JSON.stringify(registry));
writeFileSync(CONTRACT_PATH, await registryContract(registry));
console.log('wrote libs/registry-contract/src/registry-api.ts');

build('commander-api');
const dist = new URL('../apps/commander-api/compiled/', import.meta.url);
const load = async (path) => import(new URL(path, dist).href);

const { commandReference } = await load('command-line/command-reference.js');
const { COMMANDS } = await load('command-table.js');
const { configSchema } = await load('show-config/config-schema.js');
const { CONFIG_KEYS } = await load('config/config-keys.js');

const nothing = () => undefined;
const context = { config: nothing, answer: nothing, note: nothing, signal: new AbortController().signal };
await write('svccmd-reference.md', await commandReference(COMMANDS, { ...context, interactive: false }));
await write('svccmd.schema.json', JSON.stringify(configSchema(CONFIG_KEYS)));
await write('licences.md', licenceTables());
await write('../THIRD-PARTY-NOTICES.txt', bundleNotices());
await write('openapi-commander.json', JSON.stringify(await commanderDocument()));

async function write(name, text) {
  const path = fileURLToPath(new URL(`../docs/${name}`, import.meta.url));
  const isPlain = name.endsWith('.txt');
  writeFileSync(
    path,
    isPlain ? text : await format(text, { ...(await resolveConfig(path)), filepath: path }),
  );
  console.log(`wrote docs/${name}`);
}
