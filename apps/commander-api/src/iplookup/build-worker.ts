import { parentPort, workerData } from 'node:worker_threads';
import { buildLookup, type BuildRequest, type BuildSummary } from '@svc/iplookup-core';
import type { CommanderError } from '../errors/commander-error.js';
import { toLookupError } from './iplookup.errors.js';

/** What the thread of a build posts at its end. */
export type BuildMessage =
  | { readonly summary: BuildSummary }
  | { readonly failure: Pick<CommanderError, 'code' | 'message' | 'detail' | 'violations'> }
  | { readonly crash: string };

const port = parentPort!;
const stop = new AbortController();
port.once('message', () => stop.abort());

try {
  const summary = await buildLookup({ ...(workerData as BuildRequest), signal: stop.signal });
  port.postMessage({ summary } satisfies BuildMessage);
} catch (error) {
  port.postMessage(toMessage(error));
}
port.close();

/** An error loses its fields on the way between threads. */
function toMessage(error: unknown): BuildMessage {
  const known = toLookupError(error);
  if (known) {
    const { code, message, detail, violations } = known;
    return { failure: { code, message, detail, violations } };
  }
  return { crash: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
