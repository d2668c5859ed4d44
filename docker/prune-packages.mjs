// Removes from installed packages what no service reads while it runs; licences and readmes stay. To be run where
// `npm ci -w <project>` was.
//   node prune-packages.mjs
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';

/** Sources and what only compilers and debuggers read. */
const UNUSED = /\.([cm]?ts|map|flow|tsbuildinfo)$/;

const PACKAGE_ROOT = /(^|\/)node_modules\/(@[^/]+\/)?[^@/][^/]*$/;

/** At a package's root: what its developers need. */
const DEVELOPMENT = new Set(['.github', 'benchmark', 'benchmarks', 'example', 'examples', 'test', 'tests']);

/** Whole packages. The compiler is there for @nestjs/swagger's plugin, which only builds use. */
const PACKAGES = ['typescript'];

for (const name of PACKAGES) rmSync(`node_modules/${name}`, { recursive: true, force: true });
removeOtherProjects();
// Left without files where only manifests were copied.
rmSync('docker', { recursive: true, force: true });
prune('.');

/** npm has linked the projects that the installed one needs. */
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
