import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** In bytes; a process that has not built anything has half of it. */
const MUCH = 16e6;

/** Loaded on first use: it takes milliseconds. */
let collect: (() => void) | undefined;

/** Size of the memory outside V8's heap that the last collection left, in bytes. */
let inUse = 0;

/**
 * Frees what the last step no longer needs before the next one allocates as much again, if it may be much. V8 may put
 * this off until garbage of hundreds of megabytes has piled up, since it counts the content of typed arrays only loosely.
 */
export function freeLeftovers(): void {
  const { external } = process.memoryUsage();
  inUse = Math.min(inUse, external);
  if (external <= inUse + MUCH) return;
  collectGarbage();
  inUse = process.memoryUsage().external;
}

/** Frees all memory that is not in use. */
export function collectGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
    setFlagsFromString('--no-expose-gc');
  }
  collect();
  // Another thread frees the content of typed arrays; the second run waits for it.
  collect();
}
