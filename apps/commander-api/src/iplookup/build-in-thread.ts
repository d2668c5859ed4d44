import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type BuildRequest, removePartial } from '@svc/iplookup-core';
import type { ProblemOptions } from '@svc/service-kit';
import type { BuildOutcome } from './build-worker.js';

/** A request that can be handed to another thread. */
export type ThreadBuildRequest = Omit<BuildRequest, 'signal' | 'onProgress' | 'writer'>;

/** Bounds of a build's thread. */
export interface ThreadLimits {
  /** How long a build may take, in milliseconds. */
  readonly deadlineMs: number;
  /** How long a build that is stopped may take to clean up, before its thread is terminated. */
  readonly graceMs: number;
  /** JavaScript's heap, in MiB. Rows and the tree lie outside it. */
  readonly heapMb: number;
}

export const THREAD_LIMITS: ThreadLimits = { deadlineMs: 15 * 60 * 1000, graceMs: 3000, heapMb: 1024 };

/** The thread's program. */
const PROGRAM = new URL('./build-worker.js', import.meta.url);

/**
 * Runs a build in a thread of its own, so that it does not hold up other requests. Nothing of a build that fails or is
 * stopped stays behind, even if it must be terminated.
 *
 * @param signal stops the build
 */
export async function buildInThread(
  request: ThreadBuildRequest,
  signal: AbortSignal,
  limits = THREAD_LIMITS,
  program = PROGRAM,
): Promise<BuildOutcome> {
  if (signal.aborted) return { problem: STOPPED };
  const writer = randomBytes(6).toString('hex');
  const worker = new Worker(program, {
    workerData: { ...request, writer },
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMb },
  });
  try {
    return await outcomeOf(worker, signal, limits);
  } finally {
    await worker.terminate();
    await removePartial(request.folder, writer).catch(() => undefined);
  }
}

async function outcomeOf(worker: Worker, signal: AbortSignal, limits: ThreadLimits): Promise<BuildOutcome> {
  let outcome: BuildOutcome | undefined;
  let reason: ProblemOptions | undefined;
  let terminating: NodeJS.Timeout | undefined;
  const stop = (why: ProblemOptions): void => {
    reason ??= why;
    worker.postMessage('stop');
    terminating ??= setTimeout(() => void worker.terminate(), limits.graceMs);
  };
  const leave = (): void => stop(STOPPED);
  signal.addEventListener('abort', leave, { once: true });
  const deadline = setTimeout(() => stop(tookTooLong(limits)), limits.deadlineMs);
  worker.on('message', (message: BuildOutcome) => (outcome = message));
  try {
    const [code] = (await once(worker, 'exit')) as [number];
    if (outcome !== undefined && 'summary' in outcome) return outcome;
    if (reason !== undefined) return { problem: reason };
    return outcome ?? { crash: `the thread of the build ended with ${code}` };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') return { problem: TOO_LARGE };
    return { crash: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  } finally {
    clearTimeout(deadline);
    clearTimeout(terminating);
    signal.removeEventListener('abort', leave);
  }
}

const STOPPED: ProblemOptions = { status: 503, detail: 'The build was stopped; the former lookup stands.' };

const TOO_LARGE: ProblemOptions = {
  status: 413,
  detail: 'The input needs more memory than a build over HTTP may have: build the lookup with svccmd.',
};

function tookTooLong({ deadlineMs }: ThreadLimits): ProblemOptions {
  const detail = `The build took longer than ${deadlineMs / 1000} seconds and was stopped: build the lookup with svccmd.`;
  return { status: 503, detail };
}
