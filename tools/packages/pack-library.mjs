import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commonManifest, readManifest, readmeOf, ROOT, scoped } from './common-manifest.mjs';
import { LIBRARIES, WORKSPACE_SCOPE } from './published.mjs';
import { shippedModules } from './shipped-modules.mjs';

/** Puts a library's package into a folder: modules, declarations, README, licence, changelog, and nothing else. */
export function layOutLibrary(library, folder) {
  const { files, packages } = shippedModules(`${ROOT}libs`, library, LIBRARIES);
  for (const [path, text] of files) {
    const place = join(folder, 'dist', path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, scoped(text));
  }
  for (const file of ['LICENSE', 'CHANGELOG.md']) cpSync(`${ROOT}${file}`, join(folder, file));
  writeFileSync(join(folder, 'README.md'), readmeOf(`libs/${library}`));
  return manifestOf(library, packages);
}

function manifestOf(library, packages) {
  const own = readManifest(`libs/${library}`);
  return {
    ...commonManifest(own, `libs/${library}`, library),
    sideEffects: false,
    exports: Object.fromEntries(
      Object.entries(own.exports).map(([path, { types, default: module }]) => [
        path,
        { types, default: module },
      ]),
    ),
    files: ['dist', 'CHANGELOG.md'],
    dependencies: dependenciesOf(own, packages),
    ...(own.peerDependencies && {
      peerDependencies: own.peerDependencies,
      peerDependenciesMeta: own.peerDependenciesMeta,
    }),
  };
}

/**
 * Published libraries have one version, and belong together. Others may be newer within their major version, so that an
 * installation can share them with other packages and take their fixes.
 */
function dependenciesOf(own, packages) {
  const needed = [...packages].filter((name) => !(name in (own.peerDependencies ?? {}))).sort();
  return Object.fromEntries(
    needed.map((name) => {
      if (name.startsWith(`${WORKSPACE_SCOPE}/`)) return [scoped(name), own.version];
      const version = own.dependencies[name];
      if (version === undefined)
        throw new Error(`${own.name} uses ${name}, which its package.json does not list`);
      return [name, `^${version}`];
    }),
  );
}
