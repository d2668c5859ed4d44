import { setFlagsFromString } from 'node:v8';

/**
 * V8 flags during and after the start, each with the options by which an operator overrides it. While a service
 * loads its code, V8 by default grows the young generation to 32 MB and optimizes code that never runs again, and an idle
 * server releases neither (docs/decisions/0015).
 */
const STARTUP_FLAGS = [
  {
    starting: '--optimize-for-size',
    after: '--no-optimize-for-size',
    overriddenBy: ['optimize-for-size', 'min-semi-space-size', 'max-semi-space-size', 'lite-mode'],
  },
  {
    starting: '--semi-space-growth-factor=1',
    after: '--semi-space-growth-factor=2',
    overriddenBy: ['semi-space-growth-factor', 'min-semi-space-size', 'max-semi-space-size'],
  },
  {
    starting: '--no-opt',
    after: '--opt',
    overriddenBy: ['opt', 'turbofan', 'always-turbofan', 'max-opt', 'jitless', 'lite-mode'],
  },
] as const;

/**
 * Starts the server in as little memory as possible; afterwards V8 runs at full speed. Flags that the operator set are kept.
 *
 * @param options of the Node process, from its command line and NODE_OPTIONS
 */
export async function startWithLowMemory<T>(
  start: () => Promise<T>,
  options: readonly string[] = [...process.execArgv, ...(process.env['NODE_OPTIONS'] ?? '').split(/\s+/)],
): Promise<T> {
  const overridden = new Set(options.map(flagName));
  const flags = STARTUP_FLAGS.filter(
    ({ overriddenBy }) => !overriddenBy.some((name) => overridden.has(name)),
  );
  for (const { starting } of flags) setFlagsFromString(starting);
  try {
    return await start();
  } finally {
    for (const { after } of flags) setFlagsFromString(after);
  }
}

/** To V8, `--no-opt`, `--noopt` and `--opt=false` are the same, and so are `_` and `-`. */
function flagName(option: string): string {
  return option
    .replaceAll(/^["']|["']$/g, '')
    .replace(/=.*$/s, '')
    .replaceAll('_', '-')
    .replace(/^--(?:no-?)?/, '');
}
