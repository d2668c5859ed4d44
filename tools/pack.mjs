// Packs the services as npm packages that install without this repository: bundled, with few dependencies and no install
// scripts.
//   npm run pack -- <folder>   writes svccmd-<version>.tgz and svc-registry-<version>.tgz
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { UNBUNDLED } from './bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * The packages by their project. Whoever publishes them must own their names: publish under a scope of your own if these are
 * taken.
 */
const PACKAGES = {
  'commander-api': {
    name: 'svccmd',
    description: 'Encrypts passwords, loads libraries into ZooKeeper, builds IP lookup files',
    bin: { svccmd: 'commander-api/bin/svccmd.js' },
    folders: ['commander-api/bin', 'commander-api/dist'],
  },
  'registry-api': {
    name: 'svc-registry',
    description: 'The client registry of an OAuth 2.0 and OpenID Connect authorization server',
    bin: { 'registry-api': 'registry-api/bin/registry-api.js' },
    folders: [
      'registry-api/bin',
      'registry-api/dist',
      'registry-ui/dist/assets',
      'registry-ui/dist/index.html',
    ],
  },
};

const [target] = process.argv.slice(2);
if (target === undefined) {
  console.error('usage: npm run pack -- <folder>');
  process.exit(2);
}
mkdirSync(target, { recursive: true });
build('commander-api', 'registry-api', 'registry-ui');
for (const project of Object.keys(PACKAGES)) console.log(pack(project, resolve(target)));

/** @returns {string} the name of the file in `destination` */
function pack(project, destination) {
  const { folders, ...about } = PACKAGES[project];
  const work = mkdtempSync(join(tmpdir(), 'svc-pack-'));
  try {
    // Beside each other, as the registry expects the console's files. One manifest above all tells the version.
    for (const folder of folders) cpSync(`${root}apps/${folder}`, `${work}/${folder}`, { recursive: true });
    for (const file of ['LICENSE', 'THIRD-PARTY-NOTICES.txt', 'CHANGELOG.md'])
      cpSync(`${root}${file}`, `${work}/${file}`);
    cpSync(`${root}apps/${project}/README.md`, `${work}/README.md`);
    writeFileSync(`${work}/package.json`, JSON.stringify(manifestOf(project, about, folders), null, 2));
    const output = execFileSync('npm', ['pack', '--json', '--pack-destination', destination], {
      cwd: work,
      encoding: 'utf8',
    });
    return JSON.parse(output)[0].filename;
  } finally {
    rmSync(work, { recursive: true });
  }
}

function manifestOf(project, about, files) {
  const { version, license } = readManifest(`apps/${project}`);
  const dependencies = UNBUNDLED[project].map((name) => [name, readManifest(`node_modules/${name}`).version]);
  return {
    ...about,
    version,
    license,
    type: 'module',
    engines: readManifest('.').engines,
    files: [...files, 'CHANGELOG.md', 'THIRD-PARTY-NOTICES.txt'],
    dependencies: Object.fromEntries(dependencies),
  };
}

function readManifest(folder) {
  return JSON.parse(readFileSync(`${root}${folder}/package.json`, 'utf8'));
}
