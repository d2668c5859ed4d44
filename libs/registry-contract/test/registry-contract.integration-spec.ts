import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const GENERATOR = new URL('../../../tools/registry-contract.mjs', import.meta.url).href;

test('the types are generated from docs/openapi-registry.json (node tools/docs.mjs writes them)', () => {
  const script = `const { registryContract } = await import('${GENERATOR}'); console.log(await registryContract())`;
  const options = { encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 } as const;
  const generated = execFileSync(process.execPath, ['--input-type=module', '-e', script], options);
  const written = readFileSync(new URL('../src/registry-api.ts', import.meta.url), 'utf8');
  expect(written).toBe(generated.slice(0, -1));
});
