import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { COMPILE_SOON, ROOT, startProgram } from './support/services.js';

const run = promisify(execFile);

/** Outside the repository: what a user has who installs the packages. */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packages-'));
  await run('npm', ['run', 'pack', '--', join(folder, 'packed')], { cwd: ROOT });
  const packages = await readdir(join(folder, 'packed'));
  await writeFile(join(folder, 'package.json'), '{}');
  await run('npm', ['install', '--no-audit', '--no-fund', ...packages.map((name) => `./packed/${name}`)], {
    cwd: folder,
  });
});
afterAll(async () => rm(folder, { recursive: true }));

const svccmd = async (...words: string[]) =>
  (await run(join(folder, 'node_modules/.bin/svccmd'), words, { cwd: folder })).stdout;

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
}

test('few packages are installed, and none has an install script', async () => {
  const { packages } = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as LockFile;
  const names = Object.keys(packages).filter((name) => name !== '' && !name.includes('/node_modules/'));
  expect(names.length).toBeLessThan(15);
  expect(Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([]);
});

test('a package contains no sources, type declarations, source maps and tests', async () => {
  for (const name of ['svccmd', 'svc-registry']) {
    const files = await readdir(join(folder, 'node_modules', name), { recursive: true });
    expect(files.filter((file) => /\.ts$|\.map$|\.tsbuildinfo$|spec\b/.test(file))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'CHANGELOG.md', 'package.json']));
  }
});

test('svccmd knows its version, encrypts a password and builds a lookup', async () => {
  const { version } = JSON.parse(await readFile(`${ROOT}package.json`, 'utf8')) as { version: string };
  expect(await svccmd('--version')).toBe(`${version}\n`);
  await svccmd('keygen', 'password.key');
  const encrypted = await svccmd('encpwd', '--key-file', 'password.key', '--yaml', 'correct horse');
  expect(encrypted).toMatch(/^!encpwd "/);
  await mkdir(join(folder, 'lookups'));
  await writeFile(join(folder, 'svccmd.conf'), '[iplookup]\nsource_path = .\ndestination_path = lookups\n');
  await writeFile(join(folder, 'zones.csv'), 'network,zone\n192.0.2.0/24,office\n');
  await svccmd('iplookup', 'from-csv', '-i', 'auto', 'zones.csv');
  expect(await svccmd('iplookup', 'show', 'zones', '192.0.2.1')).toContain('office');
});

test('the registry serves its API, its documentation and the console', async () => {
  const main = join(folder, 'node_modules/svc-registry/registry-api/bin/registry-api.js');
  const registry = await startProgram([...COMPILE_SOON, main], { PORT: '0', DATA_DIR: 'data' }, folder);
  try {
    for (const path of ['/docs', '/docs/swagger-ui-bundle.js', '/ui/', '/openapi.json', '/health/ready']) {
      const response = await fetch(registry.url + path);
      expect([path, response.status, (await response.text()) !== '']).toEqual([path, 200, true]);
    }
    const token = (await readFile(join(folder, 'data/bootstrap-token'), 'utf8')).trim();
    const list = await fetch(`${registry.url}/client`, { headers: { authorization: `Bearer ${token}` } });
    expect(list.status).toBe(200);
  } finally {
    expect(await registry.stop()).toBe(0);
  }
});
