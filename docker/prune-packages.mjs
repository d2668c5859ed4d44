// Removes files that no service needs at run time from installed packages, except licences and readmes. Run it where
// you ran `npm ci -w <project>`.
//   node prune-packages.mjs
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';

/** Sources, and files only for compilers and debuggers. */
const UNUSED = /\.([cm]?ts|map|flow|tsbuildinfo)$/;

const PACKAGE_ROOT = /(^|\/)node_modules\/(@[^/]+\/)?[^@/][^/]*$/;

/** Folders at a package's root that only its developers need. */
const DEVELOPMENT = new Set(['.github', 'benchmark', 'benchmarks', 'example', 'examples', 'test', 'tests']);

/** Whole packages. @nestjs/swagger depends on the compiler for its plugin, which only builds use. */
const PACKAGES = ['typescript'];

for (const name of PACKAGES) rmSync(`node_modules/${name}`, { recursive: true, force: true });
removeOtherProjects();
// Only manifests were copied there.
rmSync('docker', { recursive: true, force: true });
prune('.');

/** npm has linked the projects that the installed one depends on. */
function removeOtherProjects() {
  for (const folder of ['apps', 'libs'].flatMap((kind) =>
    readdirSync(kind).map((name) => `${kind}/${name}`),
  )) {
    const { name } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    if (!existsSync(`node_modules/${name}`)) rmSync(folder, { recursive: true });
  }
}

function prune(folder) {
  const isPackage = PACKAGE_ROOT.test(folder);
  for (const entry of readdirSync(folder)) {
    const path = `${folder}/${entry}`;
    const isFolder = lstatSync(path).isDirectory();
    const isUnused = isFolder ? isPackage && DEVELOPMENT.has(entry) : UNUSED.test(entry);
    if (isUnused) rmSync(path, { recursive: true });
    else if (isFolder) prune(path);
  }
}
