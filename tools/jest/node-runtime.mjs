// Jest's loader, with two changes: the repository's modules are still loaded for each test file, but in Node's own
// realm; and packages in node_modules are loaded by Node itself, once per worker. Linking Nest and TypeORM in a new realm
// would cost each test file seconds.
import { sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileFunction, SyntheticModule } from 'node:vm';
import Runtime from 'jest-runtime';

const NODE_MODULES = `${sep}node_modules${sep}`;

/** Path of a package's file → its module, shared by all test files. */
const packages = new Map();

export default class NodeRuntime extends Runtime {
  constructor(...args) {
    super(...args);
    const { esmLoader, executor, _resolution: resolution } = this;
    esmLoader.getContext = () => undefined;
    // Jest's synchronous graph resolution does not support packages loaded by Node.
    resolution.hasDistinctAsyncResolver = () => true;
    const resolveModule = esmLoader.resolveModule.bind(esmLoader);
    esmLoader.resolveModule = async (specifier, from, context) => {
      const path = await packagePath(resolution, specifier, from);
      return path === undefined ? resolveModule(specifier, from, context) : loadPackage(path);
    };
    executor.compile = (code, filename) =>
      compileFunction(code, executor.injectedModuleParameters, { filename });
  }

  /** Node's `process` already has it. */
  installGetBuiltinModule() {}
}

async function packagePath(resolution, specifier, from) {
  if (/^(\.|\/|node:|data:|file:)/.test(specifier) || specifier === '@jest/globals') return undefined;
  if (resolution.isCoreModule(specifier)) return undefined;
  const path = await resolution.resolveEsmAsync(from, specifier);
  return path.includes(NODE_MODULES) ? path : undefined;
}

async function loadPackage(path) {
  const known = packages.get(path);
  if (known !== undefined) return known;
  const module = linkedModule(path, await import(pathToFileURL(path).href));
  packages.set(path, module);
  return module;
}

async function linkedModule(path, namespace) {
  const names = Object.keys(namespace);
  const module = new SyntheticModule(
    names,
    () => {
      for (const name of names) module.setExport(name, namespace[name]);
    },
    { identifier: path },
  );
  await module.link(() => undefined);
  await module.evaluate();
  return module;
}
