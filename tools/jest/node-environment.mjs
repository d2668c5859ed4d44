// A test environment in Node's own realm: the worker's globals are the tests' globals. What a test file adds to them is
// removed after it.
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import './exportable-keys.mjs';

/** Where packages keep what decorators of our modules state, which are run once. */
const DECORATED = new Set(['classValidatorMetadataStorage', 'typeormMetadataArgsStorage']);

export default class NodeEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  #conditions;
  #before = new Map(
    Reflect.ownKeys(globalThis).map((key) => [key, Object.getOwnPropertyDescriptor(globalThis, key)]),
  );
  #exit = process.exit;

  constructor({ projectConfig }) {
    this.#conditions = projectConfig.testEnvironmentOptions.customExportConditions;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    process.exit = this.#exit;
    for (const key of Reflect.ownKeys(globalThis)) {
      const { configurable } = Object.getOwnPropertyDescriptor(globalThis, key);
      if (!configurable || DECORATED.has(key)) continue;
      const before = this.#before.get(key);
      if (before === undefined) delete globalThis[key];
      else if ('value' in before) Object.defineProperty(globalThis, key, before);
    }
  }

  exportConditions() {
    return this.#conditions;
  }

  getVmContext() {
    return globalThis;
  }
}
