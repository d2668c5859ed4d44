import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { BuildRequest } from '@svc/iplookup-core';
import type { BuildOutcome } from './build-worker.js';

/** A request that can be handed to another thread. */
export type ThreadBuildRequest = Omit<BuildRequest, 'signal' | 'onProgress'>;

/**
 * Runs a build in a thread of its own, so that it does not hold up other requests.
 *
 * @param signal stops the build, which then cleans up after itself
 */
export async function buildInThread(request: ThreadBuildRequest, signal: AbortSignal): Promise<BuildOutcome> {
  const worker = new Worker(new URL('./build-worker.js', import.meta.url), { workerData: request });
  const stop = (): void => worker.postMessage('stop');
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  let outcome: BuildOutcome | undefined;
  worker.on('message', (message: BuildOutcome) => (outcome = message));
  try {
    const [code] = (await once(worker, 'exit')) as [number];
    return outcome ?? { crash: `the thread of the build ended with ${code}` };
  } catch (error) {
    return { crash: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
