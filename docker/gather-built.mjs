// Copies what an image needs of built projects: their files, and the packages that are not in their bundles, without
// sources, type declarations and source maps.
//   node docker/gather-built.mjs <target folder> <project folder>...
import { cpSync, existsSync } from 'node:fs';
import { basename } from 'node:path';
import { UNBUNDLED } from '../tools/bundle.mjs';

/** The parts of a project that an image needs. */
const PARTS = ['dist', 'bin', 'package.json'];

/** Only for compilers and debuggers. */
const UNUSED = /\.([cm]?ts|map|tsbuildinfo)$/;

const [target, ...projects] = process.argv.slice(2);
for (const folder of projects) {
  if (!existsSync(`${folder}/dist`)) throw new Error(`${folder} has not been built`);
  for (const part of PARTS.filter((name) => existsSync(`${folder}/${name}`))) copy(`${folder}/${part}`);
  for (const name of UNBUNDLED[basename(folder)] ?? []) copy(`node_modules/${name}`);
}

function copy(path) {
  cpSync(path, `${target}/${path}`, { recursive: true, filter: (each) => !UNUSED.test(each) });
}
