import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type BuildRequest, type BuildSummary, removePartial } from '@svc/iplookup-core';
import { CommanderError } from '../../errors/commander-error.js';
import type { ThreadMessage } from './run-thread-task.js';

/** A request that can be passed to another thread. */
export type ThreadBuildRequest = Omit<
  BuildRequest,
  'signal' | 'onProgress' | 'stdin' | 'writer' | 'beforeSwap'
>;

/** Limits of a build's thread. */
export interface ThreadLimits {
  /** How long a build may take, in milliseconds. */
  readonly deadlineMs: number;
  /** Time for a stopped build to clean up before its thread is terminated. */
  readonly graceMs: number;
  /** JavaScript heap in MiB, without rows and tree. */
  readonly heapMb: number;
}

export const THREAD_LIMITS: ThreadLimits = { deadlineMs: 15 * 60 * 1000, graceMs: 3000, heapMb: 1024 };

/** How a build ended. */
export type BuildOutcome<Summary = BuildSummary> = { readonly summary: Summary } | { readonly error: Error };

/** The thread's program. */
const PROGRAM = new URL('./build-worker.js', import.meta.url);

/** Builds a lookup in its own thread; see {@link runInThread}. */
export async function buildInThread(
  request: ThreadBuildRequest,
  signal: AbortSignal,
  limits = THREAD_LIMITS,
  program = PROGRAM,
): Promise<BuildOutcome> {
  return runInThread<BuildSummary>(program, request, [request.folder], signal, limits);
}

/**
 * Runs a build in its own thread, so that it does not block other requests. A build that fails or is stopped leaves nothing
 * behind, even if its thread is terminated.
 *
 * @param program what the thread runs, which calls `runThreadTask`
 * @param request its `workerData`, with a `writer` that marks its incomplete files
 * @param folders where it writes
 * @param signal stops the build
 */
export async function runInThread<Summary>(
  program: URL,
  request: object,
  folders: readonly string[],
  signal: AbortSignal,
  limits = THREAD_LIMITS,
): Promise<BuildOutcome<Summary>> {
  if (signal.aborted) return { error: stoppedError() };
  const writer = randomBytes(6).toString('hex');
  const worker = new Worker(program, {
    workerData: { ...request, writer },
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMb },
  });
  try {
    return await outcomeOf<Summary>(worker, signal, limits);
  } finally {
    await worker.terminate();
    for (const folder of folders) await removePartial(folder, writer).catch(() => undefined);
  }
}

async function outcomeOf<Summary>(
  worker: Worker,
  signal: AbortSignal,
  limits: ThreadLimits,
): Promise<BuildOutcome<Summary>> {
  let message: ThreadMessage<Summary> | undefined;
  let reason: CommanderError | undefined;
  let terminating: NodeJS.Timeout | undefined;
  const stop = (why: CommanderError): void => {
    reason ??= why;
    worker.postMessage('stop');
    terminating ??= setTimeout(() => void worker.terminate(), limits.graceMs);
  };
  const leave = (): void => stop(stoppedError());
  signal.addEventListener('abort', leave, { once: true });
  const deadline = setTimeout(() => stop(deadlineError(limits)), limits.deadlineMs);
  worker.on('message', (posted: ThreadMessage<Summary>) => (message = posted));
  try {
    const [code] = (await once(worker, 'exit')) as [number];
    if (message !== undefined && 'summary' in message) return message;
    if (reason !== undefined) return { error: reason };
    return { error: toError(message ?? { crash: `the thread of the build ended with ${code}` }) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') return { error: memoryError() };
    return { error: error instanceof Error ? error : new Error(String(error)) };
  } finally {
    clearTimeout(deadline);
    clearTimeout(terminating);
    signal.removeEventListener('abort', leave);
  }
}

function toError(message: Exclude<ThreadMessage<unknown>, { summary: unknown }>): Error {
  if ('crash' in message) return new Error(message.crash);
  const { code, message: text, detail, violations } = message.failure;
  return new CommanderError(code, text, { detail, violations });
}

function stoppedError(): CommanderError {
  return new CommanderError('build_stopped', 'The build was stopped; no lookup was replaced.');
}

function deadlineError({ deadlineMs }: ThreadLimits): CommanderError {
  return new CommanderError(
    'build_stopped',
    `The build took longer than ${deadlineMs / 1000} seconds and was stopped: build the lookup with svccmd.`,
  );
}

function memoryError(): CommanderError {
  return new CommanderError(
    'input_too_large',
    'The input needs more memory than the server grants a build: build the lookup with svccmd.',
  );
}
