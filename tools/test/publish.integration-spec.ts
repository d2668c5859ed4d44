import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { LIBRARIES, PROGRAMS, SCOPE } from '../packages/published.mjs';
import { readPage } from './support/documented-tables.js';
import { ROOT } from './support/services.js';

const { version } = JSON.parse(readPage('package.json')) as { version: string };
const NAMES = [...LIBRARIES, ...Object.values(PROGRAMS).map(({ name }) => name)];

/** What an earlier run published before it failed. */
const PUBLISHED = NAMES.slice(0, 2);

let folder: string;
let registry: Server;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-publish-'));
  for (const name of NAMES) pack(name);
  registry = createServer(({ url }, response) => {
    const name = PUBLISHED.map((each) => `${SCOPE}/${each}`).find(
      (each) => decodeURIComponent(url!) === `/${each}`,
    );
    response.writeHead(name === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(name === undefined ? { error: 'not found' } : documentOf(name)));
  }).listen(0, '127.0.0.1');
  await once(registry, 'listening');
});
afterAll(() => {
  registry.close();
  rmSync(folder, { recursive: true });
});

/** A package as small as npm takes it. */
function pack(name: string): void {
  mkdirSync(join(folder, name, 'package'), { recursive: true });
  const manifest = { name: `${SCOPE}/${name}`, version };
  writeFileSync(join(folder, name, 'package/package.json'), JSON.stringify(manifest));
  const file = join(folder, `${SCOPE.slice(1)}-${name}-${version}.tgz`);
  execFileSync('tar', ['-czf', file, '-C', join(folder, name), 'package']);
}

const documentOf = (name: string) => ({
  name,
  'dist-tags': { latest: version },
  versions: {
    [version]: { name, version, dist: { tarball: 'http://127.0.0.1/x.tgz', shasum: '0'.repeat(40) } },
  },
});

test('a release that failed halfway can be rehearsed, and so repeated', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['tools/publish.mjs', folder, '--dry-run'], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      NPM_CONFIG_REGISTRY: `http://127.0.0.1:${(registry.address() as AddressInfo).port}`,
    },
  });
  expect(stdout.trim().split('\n')).toEqual(
    NAMES.map((name) =>
      PUBLISHED.includes(name)
        ? `${SCOPE}/${name}@${version} is published already`
        : `would publish ${SCOPE}/${name}@${version}`,
    ),
  );
}, 120_000);
