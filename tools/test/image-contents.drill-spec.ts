import { execFile } from 'node:child_process';
import { mkdtemp, mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { COMPILE_SOON, ROOT, startProgram } from './support/services.js';

const run = promisify(execFile);

/** Outside the repository, so that no package can be found but those that an image has. */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-'));
  await run(
    process.execPath,
    ['docker/gather-built.mjs', folder, 'apps/registry-api', 'apps/registry-ui', 'apps/commander-api'],
    { cwd: ROOT },
  );
});
afterAll(async () => rm(folder, { recursive: true }));

/** Four bytes, in hexadecimal. */
async function firstBytes(path: string): Promise<string> {
  const file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
  await file.close();
  return buffer.toString('hex', 0, bytesRead);
}

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

test('an image has only the packages that are not in a bundle', async () => {
  const names = await readdir(join(folder, 'node_modules'));
  expect(names.sort()).toEqual(['@electric-sql', 'openpgp']);
});

/** The first bytes of machine code: ELF; PE; Mach-O for one architecture, in either byte order; Mach-O for several. */
const MACHINE_CODE = ['7f454c46', '4d5a', 'feedfacf', 'cffaedfe', 'cafebabe'];

test('an image contains no machine code of its own, so it is the same on amd64 and arm64', async () => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  expect(files.length).toBeGreaterThan(100);
  const native = [];
  for (const path of files) {
    const start = await firstBytes(path);
    if (path.endsWith('.node') || MACHINE_CODE.some((bytes) => start.startsWith(bytes))) native.push(path);
  }
  expect(native).toEqual([]);
});

describe.each(['registry-api', 'commander-api'])('the Dockerfile of %s', (name) => {
  /** Its stages, in order: the words after `FROM`, and what each does. */
  let stages: { from: string; steps: readonly string[] }[];
  beforeAll(async () => {
    const text = await readFile(`${ROOT}docker/${name}.Dockerfile`, 'utf8');
    const [, ...parts] = text.split(/^FROM /m);
    stages = parts.map((part) => {
      const [from = '', ...steps] = part.split('\n');
      return { from, steps: steps.filter((line) => /^[A-Z]+ /.test(line)) };
    });
  });

  test('names no architecture', () => {
    expect(JSON.stringify(stages)).not.toMatch(/amd64|x86_64|x64|arm64|aarch64|TARGETARCH/i);
  });

  test('builds for other architectures without running their programs', () => {
    const building = stages.slice(0, -1).map(({ from }) => from.split(' ')[0]);
    expect(new Set(building)).toEqual(new Set(['--platform=$BUILDPLATFORM']));
    const last = stages.at(-1);
    expect(last?.from).toBe('${NODE_IMAGE}');
    expect(last?.steps.filter((step) => step.startsWith('RUN '))).toEqual([]);
  });
});

test('the registry of an image validates bodies, shows its documentation and the console', async () => {
  const token = 'a'.repeat(64);
  const registry = await startProgram(
    [...COMPILE_SOON, join(folder, 'apps/registry-api/dist/main.js')],
    {
      PORT: '0',
      DATA_DIR: join(folder, 'data'),
      BOOTSTRAP_TOKEN: token,
    },
    folder,
  );
  try {
    const refused = await fetch(`${registry.url}/token`, {
      ...bearer(token),
      method: 'POST',
      headers: { ...bearer(token).headers, 'content-type': 'application/json' },
      body: '{"name": 1, "scopes": ["clients:read"]}',
    });
    expect(refused.status).toBe(400);
    for (const path of ['/docs', '/docs/swagger-ui-bundle.js', '/ui/', '/openapi.json']) {
      const response = await fetch(registry.url + path);
      expect([path, response.status, (await response.text()) !== '']).toEqual([path, 200, true]);
    }
  } finally {
    expect(await registry.stop()).toBe(0);
  }
});

test('the commander of an image validates queries, and builds a lookup in a worker', async () => {
  const svccmd = join(folder, 'apps/commander-api/bin/svccmd.js');
  const token = 'b'.repeat(64);
  await mkdir(join(folder, 'lookups'));
  await writeFile(
    join(folder, 'svccmd.conf'),
    `[iplookup]\nsource_path = .\ndestination_path = lookups\n[http]\naddress = 127.0.0.1\ntoken_file = token\n`,
    { mode: 0o600 },
  );
  await writeFile(join(folder, 'token'), token, { mode: 0o600 });
  await writeFile(join(folder, 'ranges.csv'), 'network,zone\n192.0.2.0/24,office\n');
  await run(
    process.execPath,
    [svccmd, 'iplookup', 'from-csv', '-i', 'auto', '--lookup-name', 'zones', 'ranges.csv'],
    {
      cwd: folder,
    },
  );
  const commander = await startProgram([svccmd, 'serve'], { SVCCMD_HTTP_PORT: '0' }, folder);
  try {
    const read = await fetch(`${commander.url}/iplookup/zones/192.0.2.1`, bearer(token));
    expect([read.status, await read.text()]).toEqual([200, expect.stringContaining('office')]);
    // A rule that one class of parameters inherits from another.
    const refused = await fetch(`${commander.url}/iplookup/from-maxmind?verify=perhaps`, {
      ...bearer(token),
      method: 'POST',
    });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('verify')]);
  } finally {
    expect(await commander.stop()).toBe(0);
  }
});

test('the notices name each package of the bundles', async () => {
  const notices = await readFile(`${ROOT}THIRD-PARTY-NOTICES.txt`, 'utf8');
  for (const app of ['registry-api', 'commander-api']) {
    const dist = join(folder, 'apps', app, 'dist');
    const files = (await readdir(dist)).filter((name) => name.endsWith('.js'));
    const texts = await Promise.all(files.map(async (name) => readFile(join(dist, name), 'utf8')));
    const bundled = new Set(
      texts.flatMap((text) =>
        Array.from(text.matchAll(/^\/\/ (?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)/gm), ([, name]) => name!),
      ),
    );
    expect(bundled.size).toBeGreaterThan(30);
    expect([...bundled].filter((name) => !notices.includes(`\n${name} `))).toEqual([]);
  }
});
