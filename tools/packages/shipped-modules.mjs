import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { WORKSPACE_SCOPE } from './published.mjs';

/**
 * Collects what a library's package contains: the built modules and declarations that its exports reach, with those it uses of
 * unpublished libraries in a folder of their names. No test code is reached.
 *
 * @param {string} libs the folder of all libraries
 * @param {string} library
 * @param {readonly string[]} published libraries that stay packages
 * @returns {{ files: Map<string, string>, packages: Set<string> }} texts by path in the package's `dist`, and packages imported
 */
export function shippedModules(libs, library, published) {
  const files = new Map();
  const packages = new Set();
  const open = entriesOf(libs, library).map((path) => join(libs, library, path));
  for (let module = open.pop(); module !== undefined; module = open.pop()) {
    if (files.has(module)) continue;
    let text = readFileSync(module, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n');
    for (const { fileName: name } of ts.preProcessFile(text, true, true).importedFiles) {
      const inner = innerModule(libs, name, published, module.endsWith('.d.ts'));
      if (inner !== undefined) {
        const target = relativeTo(placeOf(libs, library, module), placeOf(libs, library, inner));
        text = text.replaceAll(new RegExp(`(['"])${name}\\1`, 'g'), `$1${target}$1`);
        open.push(inner);
      } else if (!name.startsWith('.')) packages.add(name);
      else open.push(besideOf(module, name));
    }
    files.set(module, text);
  }
  const placed = new Map();
  for (const [module, text] of files) placed.set(placeOf(libs, library, module), text);
  return { files: placed, packages: packageNames(packages) };
}

/** Paths of the modules and declarations that the library exports. */
function entriesOf(libs, library) {
  return Object.values(exportsOf(libs, library)).flatMap(({ types, default: module }) => [types, module]);
}

function exportsOf(libs, library) {
  return JSON.parse(readFileSync(join(libs, library, 'package.json'), 'utf8')).exports;
}

/** @returns the file of an unpublished library that a specifier means; undefined for others */
function innerModule(libs, name, published, isDeclaration) {
  const [scope, library, ...rest] = name.split('/');
  if (scope !== WORKSPACE_SCOPE || published.includes(library)) return undefined;
  const { types, default: module } = exportsOf(libs, library)[['.', ...rest].join('/')];
  return join(libs, library, isDeclaration ? types : module);
}

function besideOf(module, name) {
  const target = join(dirname(module), name);
  return module.endsWith('.d.ts') ? target.replace(/\.js$/, '.d.ts') : target;
}

function placeOf(libs, library, module) {
  const [owner, , ...rest] = relative(libs, module).split('/');
  return [...(owner === library ? [] : [owner]), ...rest].join('/');
}

/** Specifiers name JavaScript, in declarations, too. */
function relativeTo(from, target) {
  const path = relative(dirname(from), target).replace(/\.d\.ts$/, '.js');
  return path.startsWith('.') ? path : `./${path}`;
}

/** Without Node's own modules and the paths within packages. */
function packageNames(specifiers) {
  const external = [...specifiers].filter((name) => !name.startsWith('node:'));
  return new Set(external.map((name) => name.replace(/^((?:@[^/]+\/)?[^/]+).*$/, '$1')));
}
