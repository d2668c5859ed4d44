// Jest's loader, with two changes: the repository's modules are still loaded for each test file, but in Node's own
// realm; and Node's own modules and packages in node_modules are loaded by Node itself, once per worker. Linking Nest and
// TypeORM in a new realm would cost each test file seconds.
import asyncHooks from 'node:async_hooks';
import { isBuiltin } from 'node:module';
import { sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileFunction, SyntheticModule } from 'node:vm';
import Runtime from 'jest-runtime';

const NODE_MODULES = `${sep}node_modules${sep}`;

/** URL of a package's file, or name of a module of Node → its module, shared by all test files. */
const packages = new Map();

/** Path of a file of Jest's own → its compiled function, which each test file calls. */
const compiled = new Map();

export default class NodeRuntime extends Runtime {
  #storages = new Set();

  constructor(...args) {
    super(...args);
    const { coreModule, esmLoader, executor, _resolution: resolution } = this;
    this.#noteStorages(coreModule);
    esmLoader.getContext = () => undefined;
    // Jest's synchronous graph resolution does not support packages loaded by Node.
    resolution.hasDistinctAsyncResolver = () => true;
    const resolveModule = esmLoader.resolveModule.bind(esmLoader);
    esmLoader.resolveModule = async (specifier, from, context) => {
      const url = await packageUrl(resolution, specifier, from);
      return url === undefined ? resolveModule(specifier, from, context) : loadPackage(url);
    };
    executor.compile = (code, filename) => {
      const known = compiled.get(filename);
      if (known !== undefined) return known;
      const made = compileFunction(code, executor.injectedModuleParameters, { filename });
      if (filename.includes(NODE_MODULES)) compiled.set(filename, made);
      return made;
    };
  }

  /** Node's `process` already has it. */
  installGetBuiltinModule() {}

  /**
   * Disables Jest's own storages of the test file when it ends: until then, Node copies the value of each to every new
   * promise, so that with those of a hundred files most of a worker's time would go into that and into collecting garbage.
   */
  teardown() {
    super.teardown();
    for (const storage of this.#storages) storage.disable();
  }

  #noteStorages(coreModule) {
    const storages = this.#storages;
    class AsyncLocalStorage extends asyncHooks.AsyncLocalStorage {
      constructor(...args) {
        super(...args);
        storages.add(this);
      }
    }
    const require = coreModule.require.bind(coreModule);
    coreModule.require = (name) =>
      name === 'node:async_hooks' ? { ...asyncHooks, AsyncLocalStorage } : require(name);
  }
}

async function packageUrl(resolution, specifier, from) {
  if (/^(\.|\/|data:|file:)/.test(specifier) || specifier === '@jest/globals') return undefined;
  if (isBuiltin(specifier)) return specifier;
  const path = await resolution.resolveEsmAsync(from, specifier);
  return path.includes(NODE_MODULES) ? pathToFileURL(path).href : undefined;
}

async function loadPackage(url) {
  const known = packages.get(url);
  if (known !== undefined) return known;
  const module = await syntheticModule(url, await import(url));
  packages.set(url, module);
  return module;
}

/** @returns a module with these exports */
export async function syntheticModule(identifier, exports) {
  const names = Object.keys(exports);
  const module = new SyntheticModule(
    names,
    () => {
      for (const name of names) module.setExport(name, exports[name]);
    },
    { identifier },
  );
  await module.link(() => undefined);
  await module.evaluate();
  return module;
}
