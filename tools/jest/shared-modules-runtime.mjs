// Jest's loader, with the repository's modules loaded once per worker and project, as packages are. Only set-up files and
// the test file itself are loaded anew: evaluating a service's hundreds of modules for each would cost a third of a run's
// CPU time. Modules must therefore keep no state that another test file would notice, nor register hooks when they load.
import { pathToFileURL } from 'node:url';
import NodeRuntime, { syntheticModule } from './node-runtime.mjs';

/** Id of a project → what its test files share. */
const projects = new Map();

export default class SharedModulesRuntime extends NodeRuntime {
  #shared;

  constructor(...args) {
    super(...args);
    const { id, setupFiles } = this._config;
    if (!projects.has(id)) projects.set(id, { modules: new Map(), sourceMaps: new Map() });
    this.#shared = projects.get(id);
    const { esmLoader, registries, transformCache } = this;
    const registry = new Registry(this.#shared.modules, [this._testPath, ...setupFiles]);
    registries.getActiveEsmRegistry = () => registry;
    transformCache.sourceMaps = this.#shared.sourceMaps;
    this.#importByCurrentFile(esmLoader);
    this.#shareGlobals(esmLoader);
  }

  async unstable_importModule(from, name) {
    if (from === this._testPath) await this.#refreshGlobals(from);
    return super.unstable_importModule(from, name);
  }

  /** By now the test framework has set them for this test file. */
  async #refreshGlobals(from) {
    const globals = this.jestGlobals.cjsGlobals(from);
    this.#shared.globals ??= await syntheticModule('@jest/globals', globals);
    for (const [key, value] of Object.entries(globals)) this.#shared.globals.setExport(key, value);
  }

  teardown() {
    super.teardown();
    // Such as one whose import() the file did not wait for.
    for (const [url, { status }] of this.#shared.modules) {
      if (status !== 'evaluated') this.#shared.modules.delete(url);
    }
  }

  /** A shared module's `import()` would otherwise ask the loader of the file that loaded it, which has ended. */
  #importByCurrentFile(loader) {
    const shared = this.#shared;
    shared.dynamicImport = loader.dynamicImport;
    loader.dynamicImport = async (...args) => shared.dynamicImport(...args);
  }

  #shareGlobals(loader) {
    const resolveModule = loader.resolveModule;
    loader.resolveModule = async (specifier, from, context) =>
      specifier === '@jest/globals' ? this.#shared.globals : resolveModule(specifier, from, context);
  }
}

/** Modules by URL: those that a project's test files share, and those that are loaded for each. */
class Registry {
  #shared;
  #own;
  #ownModules = new Map();

  constructor(shared, ownFiles) {
    this.#shared = shared;
    this.#own = new Set(ownFiles.map((path) => pathToFileURL(path).href));
  }

  has(url) {
    return this.#of(url).has(url);
  }

  get(url) {
    return this.#of(url).get(url);
  }

  set(url, module) {
    this.#of(url).set(url, module);
  }

  #of(url) {
    return this.#own.has(url) ? this.#ownModules : this.#shared;
  }
}
