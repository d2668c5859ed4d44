import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRegistry } from '../clients/registry-process.js';

const ROOT = new URL('../../../../', import.meta.url);
const PAGE = readFileSync(new URL('docs/clients-as-declarations.md', ROOT), 'utf8');

test('every command of docs/clients-as-declarations.md works, in its order', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svccmd-client-docs-'));
  const registry = await startRegistry();
  mkdirSync(join(folder, 'bin'));
  symlinkSync(new URL('apps/commander-api/bin/svccmd.js', ROOT).pathname, join(folder, 'bin', 'svccmd'));
  writeFileSync(join(folder, 'clients.yaml'), /```yaml\n([^]*?)```/.exec(PAGE)?.[1] ?? '');
  const commands = [...PAGE.matchAll(/^\$ (.*)$/gm)].map(([, command]) => command);
  expect(commands.length).toBeGreaterThan(10);
  const child = spawn('bash', ['--norc', '-c', ['set -e -o pipefail', ...commands].join('\n')], {
    cwd: folder,
    env: {
      PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
      SVCCMD_REGISTRY_URL: registry.url,
      SVCCMD_REGISTRY_TOKEN: registry.token,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  const status = await new Promise((resolve) => child.once('close', resolve));
  expect({ status, said }).toEqual({
    status: 0,
    said: expect.stringContaining('deleted shop (Shop)') as string,
  });
  await registry.stop();
  rmSync(folder, { recursive: true });
}, 120_000);
