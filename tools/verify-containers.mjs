// `npm run verify:containers`: builds both images, starts docker/compose.yaml, exercises the services' main features,
// and takes everything down again. Works with Docker and its compose plugin, or with podman and podman-compose.
//   npm run verify:containers                   the plain setup, then the scaled one
//   npm run verify:containers -- plain          one of them: plain or scaled
//   npm run verify:containers -- --no-build     with the last run's images
// CONTAINER_ENGINE selects docker or podman if both are installed.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readCommandLine } from './setup/command-line.mjs';
import { findEngine } from './verify-containers/engine.mjs';
import { buildImages } from './verify-containers/images.mjs';
import { Report } from './verify-containers/report.mjs';
import { withStack } from './verify-containers/stack.mjs';

const SETUPS = ['plain', 'scaled'];

const root = fileURLToPath(new URL('..', import.meta.url));
const { words: asked, flags } = readCommandLine(['no-build']);
const unknown = asked.filter((word) => !SETUPS.includes(word));
if (unknown.length > 0) {
  console.error(`no set-up called ${unknown.join(', ')}; there are: ${SETUPS.join(', ')}`);
  process.exit(2);
}

try {
  await verify();
} catch (error) {
  console.error(`verify-containers: ${error.stack ?? error}`);
  process.exitCode = 1;
}

async function verify() {
  const engine = findEngine();
  console.log(`${engine.name} with ${engine.compose.join(' ')}`);
  const report = new Report();
  buildTestServers();
  if (!flags['no-build']) await report.section('images', () => buildImages(engine, root, report));
  for (const name of asked.length > 0 ? asked : SETUPS) {
    const { check, scaled } = await import(`./verify-containers/check-${name}.mjs`);
    await report.section(name, () =>
      withStack({ engine, root, scaled, report }, (stack) => check(stack, report)),
    );
  }
  report.close();
}

/** The tests' git server serves as a library source. */
function buildTestServers() {
  const compiler = [`${root}node_modules/typescript/bin/tsc`, '-b', `${root}libs/test-servers`];
  const { status, stdout } = spawnSync(process.execPath, compiler, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`libs/test-servers cannot be built:\n${stdout}`);
}
