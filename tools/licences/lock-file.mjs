// Third-party packages in what is shipped, from package-lock.json.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { packages } = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8'));

/** @typedef {{ path: string, name: string, version: string, licence: string }} Package */

/**
 * The packages that an image installs: the app's dependencies, transitively, including optional ones.
 *
 * @param {string} workspace such as `apps/registry-api`
 * @returns {Package[]}
 */
export function installedPackages(workspace) {
  return closure(namesOf(packages[workspace]).map((name) => [workspace, name]));
}

/**
 * The packages that a bundle may contain parts of: those its sources import, and their dependencies.
 *
 * @param {string} workspace such as `apps/registry-ui`
 * @returns {Package[]}
 */
export function bundledPackages(workspace) {
  const files = readdirSync(`${root}${workspace}/src`, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(tsx?|css)$/.test(name),
  );
  const imports = files
    .filter((name) => !/\.spec\.tsx?$/.test(name))
    .flatMap((name) => [...readFileSync(`${root}${workspace}/src/${name}`, 'utf8').matchAll(IMPORT)]);
  const names = new Set(
    imports.map(([, from]) =>
      from
        .split('/')
        .slice(0, from.startsWith('@') ? 2 : 1)
        .join('/'),
    ),
  );
  const known = namesOf({ dependencies: packages[workspace].devDependencies });
  return closure(known.filter((name) => names.has(name)).map((name) => [workspace, name]));
}

/** Imports of code and styles, except type-only imports. */
const IMPORT =
  /(?:^(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?|import\(|url\()['"]([^.'"/][^'"]*)['"]/gm;

/**
 * @param {object} manifest
 * @param {object} [manifest.dependencies]
 * @param {object} [manifest.optionalDependencies]
 * @param {object} [manifest.peerDependencies]
 * @param {Record<string, { optional?: boolean }>} [manifest.peerDependenciesMeta]
 */
function namesOf({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} }) {
  // Non-optional peers are installed; the lock file contains only installed packages.
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta[name]?.optional);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

function closure(wanted) {
  const found = new Map();
  const seen = new Set();
  while (wanted.length > 0) {
    const path = resolve(...wanted.pop());
    if (path === undefined || seen.has(path)) continue;
    seen.add(path);
    const entry = packages[path];
    // Ours: a link to a workspace.
    const target = entry.link ? entry.resolved : path;
    const { version, license, name = path.split('node_modules/').at(-1) } = packages[target];
    if (!entry.link) found.set(path, { path, name, version, licence: license ?? 'none named' });
    wanted.push(...namesOf(packages[target]).map((each) => [target, each]));
  }
  return [...found.values()].sort((a, b) => compare(a.name, b.name) || compare(a.version, b.version));
}

/** Node's resolution: from the importing package's folder upwards. */
function resolve(from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/'), 0))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[path]) return path;
    if (folder === '') return undefined;
  }
}

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
