import { parentPort } from 'node:worker_threads';
import { lowerThreadPriority } from '@svc/service-kit/lower-thread-priority';
import type { CommanderError } from '../../errors/commander-error.js';
import { toLookupError } from '../files/iplookup.errors.js';

/** What the thread of a build posts at its end. */
export type ThreadMessage<Summary> =
  | { readonly summary: Summary }
  | { readonly failure: Pick<CommanderError, 'code' | 'message' | 'detail' | 'violations'> }
  | { readonly crash: string };

/** Requests have priority, but builds still progress on a busy host. */
const NICENESS = 5;
lowerThreadPriority(NICENESS);

/** Runs a thread's only task and posts its outcome; the first message from the parent stops it. */
export async function runThreadTask<Summary>(run: (signal: AbortSignal) => Promise<Summary>): Promise<void> {
  const port = parentPort!;
  const stop = new AbortController();
  port.once('message', () => stop.abort());
  try {
    const summary = await run(stop.signal);
    port.postMessage({ summary } satisfies ThreadMessage<Summary>);
  } catch (error) {
    port.postMessage(toMessage(error));
  }
  port.close();
}

/** Errors lose their fields when passed between threads. */
function toMessage(error: unknown): ThreadMessage<never> {
  const known = toLookupError(error);
  if (known) {
    const { code, message, detail, violations } = known;
    return { failure: { code, message, detail, violations } };
  }
  return { crash: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
