// Publishes what `npm run pack` wrote; a version that is on the registry already is left alone, so that a failed release can be
// run again. The workflow `release` runs this.
//   node tools/publish.mjs <folder>            needs to be logged in to npm
//   node tools/publish.mjs <folder> --dry-run  checks everything but the login, of the versions that are left
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readManifest } from './packages/common-manifest.mjs';
import { LIBRARIES, PROGRAMS, SCOPE } from './packages/published.mjs';
import { readCommandLine } from './setup/command-line.mjs';

const { words, flags } = readCommandLine(['dry-run']);
const isDryRun = flags['dry-run'];
const [folder, ...others] = words;
if (folder === undefined || others.length > 0) {
  console.error('usage: node tools/publish.mjs <folder> [--dry-run]');
  process.exit(2);
}
const { version } = readManifest('.');
// Libraries first, in the order of their dependencies.
for (const name of [...LIBRARIES, ...Object.values(PROGRAMS).map(({ name }) => name)]) publish(name);

function publish(name) {
  const file = join(folder, `${SCOPE.slice(1)}-${name}-${version}.tgz`);
  if (!existsSync(file)) fail(`${file} does not exist: run "npm run pack -- ${folder}" first`);
  if (isPublished(`${SCOPE}/${name}@${version}`)) {
    console.log(`${SCOPE}/${name}@${version} is published already`);
    return;
  }
  const path = file.startsWith('/') ? file : `./${file}`;
  const { status, stderr } = npm('publish', path, ...(isDryRun ? ['--dry-run'] : []));
  if (status !== 0) fail(`npm publish ${path} failed:\n${stderr}`);
  console.log(`${isDryRun ? 'would publish' : 'published'} ${SCOPE}/${name}@${version}`);
}

function isPublished(spec) {
  return npm('view', spec, 'version').stdout.trim() === version;
}

function npm(...args) {
  return spawnSync('npm', args, { encoding: 'utf8' });
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
