import { setFlagsFromString } from 'node:v8';

/**
 * V8 flags while the server starts and after, each with the options by which an operator decides the same. Two thousand
 * modules are loaded once: by default V8 grows the young generation to 32 MB and optimizes code that never runs again, and
 * an idle server gives neither back (docs/decisions/0015).
 */
const WHILE_STARTING = [
  {
    starting: '--optimize-for-size',
    after: '--no-optimize-for-size',
    decidedBy: ['optimize-for-size', 'min-semi-space-size', 'max-semi-space-size', 'lite-mode'],
  },
  {
    starting: '--semi-space-growth-factor=1',
    after: '--semi-space-growth-factor=2',
    decidedBy: ['semi-space-growth-factor', 'min-semi-space-size', 'max-semi-space-size'],
  },
  {
    starting: '--no-opt',
    after: '--opt',
    decidedBy: ['opt', 'turbofan', 'always-turbofan', 'max-opt', 'jitless', 'lite-mode'],
  },
] as const;

/**
 * Starts the server in as little memory as possible; afterwards V8 runs at full speed. Flags that an operator set stay.
 *
 * @param options of the Node process: its command line's and those of NODE_OPTIONS
 */
export async function startSparingly<T>(
  start: () => Promise<T>,
  options: readonly string[] = [...process.execArgv, ...(process.env['NODE_OPTIONS'] ?? '').split(/\s+/)],
): Promise<T> {
  const decided = new Set(options.map(flagName));
  const flags = WHILE_STARTING.filter(({ decidedBy }) => !decidedBy.some((name) => decided.has(name)));
  for (const { starting } of flags) setFlagsFromString(starting);
  try {
    return await start();
  } finally {
    for (const { after } of flags) setFlagsFromString(after);
  }
}

/** V8 takes `--no-opt`, `--noopt` and `--opt=false` as one, and `_` for `-`. */
function flagName(option: string): string {
  return option
    .replaceAll(/^["']|["']$/g, '')
    .replace(/=.*$/s, '')
    .replaceAll('_', '-')
    .replace(/^--(?:no-?)?/, '');
}
