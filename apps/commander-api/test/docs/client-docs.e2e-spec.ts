import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRegistry } from '../clients/registry-process.js';
import { expectSuccess, typeLine } from '../shell/type-line.js';

const ROOT = new URL('../../../../', import.meta.url);
const PAGE = readFileSync(new URL('docs/clients-as-declarations.md', ROOT), 'utf8');

test('every command of docs/clients-as-declarations.md works, in its order', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svccmd-client-docs-'));
  const registry = await startRegistry();
  mkdirSync(join(folder, 'bin'));
  symlinkSync(new URL('apps/commander-api/bin/svccmd.js', ROOT).pathname, join(folder, 'bin', 'svccmd'));
  writeFileSync(join(folder, 'clients.yaml'), /```yaml\n([^]*?)```/.exec(PAGE)?.[1] ?? '');
  const commands = [...PAGE.matchAll(/^\$ (.*)$/gm)].map(([, command]) => command!);
  expect(commands.length).toBeGreaterThan(10);
  const env = { SVCCMD_REGISTRY_URL: registry.url, SVCCMD_REGISTRY_TOKEN: registry.token };
  await expectSuccess(commands.slice(0, -1), { cwd: folder, env });
  expect(await typeLine(commands.at(-1)!, { cwd: folder, env })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('deleted shop (Shop)') as string,
  });
  await registry.stop();
  rmSync(folder, { recursive: true });
}, 120_000);
