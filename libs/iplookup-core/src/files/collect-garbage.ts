import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Loaded on first use: it takes milliseconds. */
let collect: (() => void) | undefined;

/**
 * Frees what the last step no longer needs before the next one allocates as much again. V8 may put this off until garbage
 * of hundreds of megabytes has piled up, since it counts the content of typed arrays only loosely.
 */
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
