import { once } from 'node:events';
import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import type { DumpSummary } from '@svc/iplookup-core';
import { CommanderError } from '../../errors/commander-error.js';
import type { ThreadMessage } from '../build/run-thread-task.js';
import type { DumpTask } from './dump-worker.js';
import { READ_LIMITS } from './read-limits.js';

const PROGRAM = new URL('./dump-worker.js', import.meta.url);

/**
 * Converts a lookup to CSV in a thread, as fast as its caller takes it.
 *
 * @param signal stops the thread
 * @param ended called once, whatever happens
 * @returns the text, which fails if the dump does
 * @throws {CommanderError} if the dump fails before its first row
 */
export async function dumpInThread(
  task: DumpTask,
  signal: AbortSignal,
  ended: () => void,
): Promise<Readable> {
  const worker = new Worker(PROGRAM, {
    workerData: task,
    stdout: true,
    resourceLimits: { maxOldGenerationSizeMb: READ_LIMITS.heapMb },
  });
  const { stdout } = worker;
  let message: ThreadMessage<DumpSummary> | undefined;
  worker.on('message', (posted: ThreadMessage<DumpSummary>) => (message = posted));
  const output: { text?: Readable } = {};
  const fail = (error: Error): void => {
    stdout.destroy(error);
    // A reader that has stopped reading would not notice.
    output.text?.destroy(error);
  };
  // The reader of the text gets the error, unless it has gone.
  stdout.on('error', () => undefined);
  worker.on('error', fail);
  const stop = (): void => fail(new CommanderError('read_stopped', 'The dump was stopped.'));
  const deadline = setTimeout(stop, READ_LIMITS.dumpMs);
  signal.addEventListener('abort', stop, { once: true });
  const end = (): void => {
    clearTimeout(deadline);
    signal.removeEventListener('abort', stop);
    void worker.terminate();
    ended();
  };
  const rows = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of stdout) yield chunk as Uint8Array;
    assertDone(message);
  };
  try {
    await once(stdout, 'readable', { signal });
    if (stdout.readableLength === 0) {
      // The thread has ended without a row: its message is on the way.
      stdout.resume();
      await once(stdout, 'end');
      assertDone(message);
    }
  } catch (error) {
    end();
    throw toDumpError(error, signal);
  }
  output.text = Readable.from(rows()).once('close', end);
  return output.text;
}

function toDumpError(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return new CommanderError('read_stopped', 'The dump was stopped.', { cause: error });
  if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
  return new CommanderError('input_too_large', 'The lookup needs too much memory.', { cause: error });
}

/** A text that ends early must not look complete. */
function assertDone(message: ThreadMessage<DumpSummary> | undefined): void {
  if (message !== undefined && 'summary' in message) return;
  if (message === undefined || 'crash' in message) {
    throw new Error(message?.crash ?? 'the thread of the dump ended early');
  }
  const { code, message: text, detail, violations } = message.failure;
  throw new CommanderError(code, text, { detail, violations });
}
