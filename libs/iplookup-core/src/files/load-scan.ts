import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { KEY_BYTES, type ScanProgram } from '../scan/row-scanner.js';

/** Compiles a module; Node's types lack WebAssembly's. */
declare const WebAssembly: { readonly Module: new (bytes: Uint8Array) => object };

/** Where the build puts it, seen from `src` and from `dist`. */
const FILE = new URL('../../dist/scan/scan.wasm', import.meta.url);

let compiled: object | undefined;

/** Loads the scanner, with keys of its own. @returns `undefined` if WebAssembly with SIMD and threads is not available */
export function loadScan(): ScanProgram | undefined {
  try {
    compiled ??= new WebAssembly.Module(readFileSync(FILE));
  } catch (error) {
    if ((error as Error).name === 'CompileError' || error instanceof ReferenceError) return undefined;
    throw error;
  }
  return { module: compiled, keys: randomBytes(KEY_BYTES) };
}
