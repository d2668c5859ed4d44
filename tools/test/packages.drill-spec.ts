import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { LIBRARIES } from '../packages/published.mjs';
import { fencedBlocks } from './support/fenced-blocks.js';
import { freePort } from '@svc/test-servers';
import { examplesOf, installPackages, writeExample } from './support/installed-packages.js';
import { COMPILE_SOON, ROOT, type RunningService, startProgram } from './support/services.js';
import { readPage } from './support/documented-tables.js';

const run = promisify(execFile);

const { devDependencies } = JSON.parse(readPage('libs/oidc-provider-adapter/package.json')) as {
  devDependencies: Record<string, string>;
};
const OTHERS = ['oidc-provider', '@types/oidc-provider'].map((name) => `${name}@${devDependencies[name]!}`);

const PROGRAMS = ['svccmd', 'registry-api'];

/** Outside the repository: what a user has who installs the packages. */
let folder: string;
/** The installed registry. */
let registry: RunningService | undefined;
/** Where the installed registry listens. */
let registryUrl: string;
let token: string;
beforeAll(async () => {
  folder = await installPackages(...OTHERS, 'yaml', '@types/node@20');
  const main = join(folder, 'node_modules/@svc/registry-api/registry-api/bin/registry-api.js');
  registry = await startProgram([...COMPILE_SOON, main], { PORT: '0', DATA_DIR: 'data' }, folder);
  registryUrl = registry.url;
  token = (await readFile(join(folder, 'data/bootstrap-token'), 'utf8')).trim();
}, 300_000);
afterAll(async () => {
  if (registry !== undefined) expect(await registry.stop()).toBe(0);
  await rm(folder, { recursive: true });
});

const installed = (name: string, ...path: string[]) => join(folder, 'node_modules/@svc', name, ...path);

const svccmd = async (...words: string[]) =>
  (await run(join(folder, 'node_modules/.bin/svccmd'), words, { cwd: folder })).stdout;

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
}

test('no package has an install script, and the programs need few', async () => {
  const { packages } = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as LockFile;
  expect(Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([]);
  for (const name of PROGRAMS) {
    const { dependencies } = JSON.parse(await readFile(installed(name, 'package.json'), 'utf8')) as {
      dependencies: object;
    };
    expect(Object.keys(dependencies).length).toBeLessThan(3);
  }
});

test('a program contains no sources, type declarations, source maps and tests', async () => {
  for (const name of PROGRAMS) {
    const files = await readdir(installed(name), { recursive: true });
    expect(files.filter((file) => /\.ts$|\.map$|\.tsbuildinfo$|spec\b/.test(file))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'CHANGELOG.md', 'package.json']));
  }
});

test.each(LIBRARIES)(
  '%s contains modules, declarations, README, licence and changelog, and nothing else',
  async (name) => {
    const files = await readdir(installed(name), { recursive: true, withFileTypes: true });
    const paths = files
      .filter((file) => file.isFile())
      .map((file) => join(file.parentPath, file.name).slice(installed(name).length + 1));
    const other = paths.filter((path) => !/^dist\/.*(?<!\bspec)\.(js|d\.ts)$/.test(path));
    expect(other.sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']);
    const texts = await Promise.all(paths.map(async (path) => readFile(installed(name, path), 'utf8')));
    expect(
      texts.filter((text) =>
        /sourceMappingURL|@svc\/(source|foundation|registry-contract)|\.\.\/\.\.\/docs/.test(text),
      ),
    ).toEqual([]);
  },
);

test.each([...PROGRAMS, ...LIBRARIES])('publint has nothing to say about %s', async (name) => {
  const { messages } = await publint({ pkgDir: installed(name), pack: false, strict: true });
  expect(messages).toEqual([]);
});

test('npm would publish every package', async () => {
  const { stdout } = await run(process.execPath, ['tools/publish.mjs', join(folder, 'packed'), '--dry-run'], {
    cwd: ROOT,
  });
  const published = [...stdout.matchAll(/^would publish @svc\/(\S+)@[\d.]+$/gm)].map(([, name]) => name);
  expect(published.sort()).toEqual([...LIBRARIES, ...PROGRAMS].sort());
});

test.each(LIBRARIES.filter((name) => name !== 'oidc-provider-adapter'))(
  "the examples of %s's README run, and print what it says",
  async (name) => {
    const examples = await examplesOf(folder, name);
    expect(examples.length).toBeGreaterThan(0);
    for (const { code, output } of examples) {
      const path = await writeExample(folder, name, code);
      const env = { PATH: process.env['PATH'], REGISTRY_URL: registryUrl, REGISTRY_TOKEN: token };
      const { stdout } = await run(process.execPath, [path], { cwd: dirname(path), env });
      expect(stdout).toBe(output);
    }
  },
);

/** What the reader of the adapter's README provides. */
const MY_ADAPTER = `export class MyAdapter {
  /** @param {string} model */
  constructor(model) {}
  async upsert() {}
  async find() { return undefined; }
  async findByUserCode() { return undefined; }
  async findByUid() { return undefined; }
  async consume() {}
  async destroy() {}
  async revokeByGrantId() {}
}
`;

async function answering(url: string): Promise<void> {
  const deadline = Date.now() + 20_000;
  const answers = async () => fetch(url).then(Boolean, () => false);
  while (!(await answers())) {
    if (Date.now() > deadline) throw new Error(`${url} does not answer`);
    await sleep(50);
  }
}

test("the authorization server of the adapter's README serves the registry's clients", async () => {
  const [{ code } = { code: '' }] = await examplesOf(folder, 'oidc-provider-adapter');
  const path = await writeExample(folder, 'oidc-provider-adapter', code);
  await writeFile(join(dirname(path), 'my-adapter.js'), MY_ADAPTER);
  const authorization = `Bearer ${token}`;
  const redirectUri = 'https://shop.example.com/cb';
  await fetch(`${registryUrl}/client`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Shop', redirect_uris: [redirectUri], preferred_client_id: 'shop' }),
  });
  const issuer = `http://127.0.0.1:${await freePort()}`;
  const env = { ISSUER: issuer, REGISTRY_URL: registryUrl, REGISTRY_TOKEN: token };
  const server = execFile(process.execPath, [path], { env: { PATH: process.env['PATH'], ...env } });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const ask = async (client: string) => {
    const query = new URLSearchParams({
      client_id: client,
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: 'openid',
    });
    return fetch(`${issuer}/auth?${query.toString()}`, { redirect: 'manual' });
  };
  await answering(issuer);
  // oidc-provider answers the application for a client that it knows, and otherwise the user.
  expect((await ask('shop')).headers.get('location')).toMatch(
    /^\/interaction\/|^https:\/\/shop\.example\.com\/cb\?/,
  );
  const unknown = await ask('nobody');
  expect([unknown.status, await unknown.text()]).toEqual([400, expect.stringContaining('invalid_client')]);
  server.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test.each([['nodenext'], ['bundler']])(
  'the examples type-check for users of moduleResolution %s',
  async (resolution) => {
    for (const name of LIBRARIES) {
      for (const [index, { code }] of (await examplesOf(folder, name)).entries()) {
        const path = await writeExample(folder, `typed/${name}-${index}`, code);
        await writeFile(join(dirname(path), 'my-adapter.js'), MY_ADAPTER);
      }
    }
    const module = resolution === 'bundler' ? 'es2022' : resolution;
    const compilerOptions = {
      module,
      moduleResolution: resolution,
      target: 'es2023',
      strict: true,
      allowJs: true,
      checkJs: true,
      noEmit: true,
      types: ['node'],
    };
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, include: ['examples/typed'] }),
    );
    const tsc = [`${ROOT}node_modules/typescript/bin/tsc`, '-p', folder];
    const { stdout } = await run(process.execPath, tsc).catch((error: { stdout: string }) => error);
    expect(stdout).toBe('');
  },
);

test('the commands of docs/packages.md install both programs, without install scripts', async () => {
  const block = fencedBlocks(readPage('docs/packages.md')).find(({ text }) => text.includes('npm install'));
  const [packs, install, version, man] = block?.text.trim().split('\n') ?? [];
  // This is done, and not every machine can show manual pages.
  expect([packs, man]).toEqual(['npm run pack -- packages', 'man svccmd-library-load']);
  await cp(join(folder, 'packed'), join(folder, 'checkout/packages'), { recursive: true });
  const prefix = join(folder, 'prefix');
  const env = {
    PATH: `${prefix}/bin:${process.env['PATH']}`,
    HOME: process.env['HOME'],
    npm_config_prefix: prefix,
    npm_config_ignore_scripts: 'true',
    npm_config_prefer_offline: 'true',
  };
  await run('bash', ['-ec', `${install}; ${version}`], { cwd: join(folder, 'checkout'), env });
  expect(await readdir(join(prefix, 'bin'))).toEqual(['registry-api', 'svccmd']);
  expect(await readdir(join(prefix, 'share/man/man1'))).toContain('svccmd-library-load.1');
});

test('svccmd knows its version, encrypts a password and builds a lookup', async () => {
  const { version } = JSON.parse(readPage('package.json')) as { version: string };
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

test("svccmd's manual pages are formatted without a warning, and its completions are those it prints", async () => {
  const { man } = JSON.parse(await readFile(installed('svccmd', 'package.json'), 'utf8')) as {
    man: string[];
  };
  expect(man).toContain('man/svccmd-library-load.1');
  const pages = man.map((path) => installed('svccmd', path));
  const { stdout, stderr } = await run('groff', ['-man', '-ww', '-Tutf8', ...pages], { maxBuffer: 16e6 });
  expect(stderr).toBe('');
  expect(stdout).toContain('SVCCMD-LIBRARY-LOAD(1)');
  for (const [shell, name] of [
    ['bash', 'svccmd.bash'],
    ['zsh', '_svccmd'],
    ['fish', 'svccmd.fish'],
  ] as const) {
    const script = await readFile(installed('svccmd', 'completions', name), 'utf8');
    expect(script).toBe(await svccmd('completion', shell));
  }
});

test('the registry serves its API, its documentation and the console', async () => {
  for (const path of ['/docs', '/docs/swagger-ui-bundle.js', '/ui/', '/openapi.json', '/health/ready']) {
    const response = await fetch(registryUrl + path);
    expect([path, response.status, (await response.text()) !== '']).toEqual([path, 200, true]);
  }
  const list = await fetch(`${registryUrl}/client`, { headers: { authorization: `Bearer ${token}` } });
  expect(list.status).toBe(200);
});
