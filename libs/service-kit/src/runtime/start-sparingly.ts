import { setFlagsFromString } from 'node:v8';

/**
 * What V8 does differently while the server starts, and its own way again after. Two thousand modules are loaded once:
 * left to itself, V8 takes room for 32 MB of young objects and optimizes code that never runs again, and gives neither
 * back while nobody asks anything (docs/decisions/0015).
 */
const WHILE_STARTING = [
  ['--optimize-for-size', '--no-optimize-for-size'],
  ['--semi-space-growth-factor=1', '--semi-space-growth-factor=2'],
  ['--no-opt', '--opt'],
] as const;

/** Runs what starts the server in as little memory as it can. What runs after is as fast as ever. */
export async function startSparingly<T>(start: () => Promise<T>): Promise<T> {
  for (const [sparing] of WHILE_STARTING) setFlagsFromString(sparing);
  try {
    return await start();
  } finally {
    for (const [, usual] of WHILE_STARTING) setFlagsFromString(usual);
  }
}
