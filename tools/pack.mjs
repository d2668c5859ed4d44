// Packs services and libraries as npm packages that install without this repository and run no install scripts. Their names are
// in tools/packages/published.mjs.
//   npm run pack -- <folder>             writes svc-svccmd-<version>.tgz, svc-client-metadata-<version>.tgz and so on
//   npm run pack -- --no-build <folder>  of what is built already
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from './build.mjs';
import { layOutLibrary } from './packages/pack-library.mjs';
import { layOutProgram } from './packages/pack-program.mjs';
import { LIBRARIES, PROGRAMS } from './packages/published.mjs';
import { readCommandLine } from './setup/command-line.mjs';

const { words, flags } = readCommandLine(['no-build']);
const [target, ...others] = words;
if (target === undefined || others.length > 0) {
  console.error('usage: npm run pack -- [--no-build] <folder>');
  process.exit(2);
}
const destination = resolve(target);
mkdirSync(destination, { recursive: true });
if (!flags['no-build']) build(...Object.keys(PROGRAMS), 'registry-ui', ...LIBRARIES);
for (const project of Object.keys(PROGRAMS))
  console.log(await pack((folder) => layOutProgram(project, folder)));
for (const library of LIBRARIES) console.log(await pack((folder) => layOutLibrary(library, folder)));

/**
 * @param {(folder: string) => object | Promise<object>} layOut puts the package's files into a folder and returns its manifest
 * @returns {Promise<string>} the name of the packed file
 */
async function pack(layOut) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-pack-'));
  try {
    writeFileSync(join(folder, 'package.json'), JSON.stringify(await layOut(folder), null, 2));
    const output = execFileSync('npm', ['pack', '--json', '--pack-destination', destination], {
      cwd: folder,
      encoding: 'utf8',
    });
    return Object.values(JSON.parse(output))[0].filename;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
