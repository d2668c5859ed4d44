import { readFileSync } from 'node:fs';
import { setImmediate as otherWork } from 'node:timers/promises';
import { resourceLimits, Worker } from 'node:worker_threads';
import type { BuildPlan } from '../build/build-plan.js';
import { StreamedBuilder, UnfitRowsError } from '../build/streamed-builder.js';
import { engineModule } from '../scan/engine.js';
import { BLOCK_BYTES, BlockClaims } from './block-claims.js';
import type { BlockMessage, BlockTask } from './block-worker.js';
import { BlockReader } from './block-reader.js';
import { type InputFile, openRegularFile, type OpenRules } from './open-regular-file.js';
import { giveBack, givenArrays } from './shared-arrays.js';

/** The other thread's program. */
const PROGRAM = new URL('./block-worker.js', import.meta.url);

/** Smaller files are read before another thread would have saved more time than it takes to start. */
export const THREADS_FROM_BYTES = 32e6;

/** How a file is read. */
export interface ThreadRules {
  readonly signal: AbortSignal | undefined;
  /** Called after each block. */
  readonly onBlock: (bytesRead: number, builder: StreamedBuilder) => void;
}

/** True if two threads can read the input: a plain file whose rows depend on no other, with addresses that the engine reads. */
export function isForThreads(
  { plain, size }: InputFile,
  { format, forceIpv4, joins, places }: BuildPlan,
  fromBytes = THREADS_FROM_BYTES,
): boolean {
  if (plain === undefined || size! < fromBytes || joins.length > 0 || places !== undefined) return false;
  return format.name === 'ipv4-int' || (format.name === 'ipv6-int' && !forceIpv4);
}

/**
 * Reads a file in two threads.
 *
 * @returns the builder with all rows; `undefined` if one thread must read the file, with all rows in memory
 * @throws {InputFileError} if it cannot be read
 * @throws {LookupInputError} if the whole file is invalid
 * @throws what `onBlock` throws, or the reason of the signal
 */
export async function readInThreads(
  { plain, size }: InputFile,
  plan: BuildPlan,
  rules: ThreadRules,
  blockBytes = BLOCK_BYTES,
): Promise<StreamedBuilder | undefined> {
  const engine = engineModule();
  if (engine === undefined || isAddressSpaceLimited()) return undefined;
  const { path, rules: opening } = plain!;
  const { fd, close } = await openFile(path, opening);
  const claims = BlockClaims.create(size!, blockBytes);
  const [given, lacking] = [givenArrays(), new Int32Array(new SharedArrayBuffer(4))];
  const { format, separator } = plan;
  const shared = { engine, fd, blockBytes, claims: claims.words, given, lacking };
  const worker = startWorker({ ...shared, width: format.width, separator });
  if (worker === undefined) {
    await close();
    return undefined;
  }
  try {
    const builder = new StreamedBuilder(plan, size!);
    const file = { fd, name: opening.name ?? path, size: size! };
    const reader = new BlockReader(builder, file, claims, () => giveBack(given), lacking);
    worker.on('message', (message: BlockMessage) => reader.receive(message));
    worker.once('error', () => reader.receiveEnd());
    worker.once('exit', () => reader.receiveEnd());
    await readAll(reader, builder, rules);
    builder.end();
    return builder;
  } catch (error) {
    // Such as too little address space.
    if (error instanceof UnfitRowsError || error instanceof RangeError) return undefined;
    throw error;
  } finally {
    // Not awaited: it may take as long as to read a block.
    void worker.terminate().finally(close);
  }
}

/**
 * True if the address space of this process is limited, such as by `ulimit -v`. Another thread reserves gigabytes of it, and if
 * they are not there, the process ends.
 */
function isAddressSpaceLimited(): boolean {
  try {
    return !/^Max address space +unlimited /m.test(readFileSync('/proc/self/limits', 'utf8'));
  } catch {
    // Only Linux has the file.
    return false;
  }
}

async function openFile(path: string, rules: OpenRules): Promise<{ fd: number; close: () => Promise<void> }> {
  const file = await openRegularFile(path, rules);
  return { fd: file.fd, close: () => file.close().catch(() => undefined) };
}

/** @returns `undefined` if the system has no room for another thread */
function startWorker(workerData: BlockTask): Worker | undefined {
  try {
    // Without `execArgv`, so that the thread does not preload what the process does.
    return new Worker(PROGRAM, { workerData, execArgv: [], resourceLimits });
  } catch {
    return undefined;
  }
}

async function readAll(
  reader: BlockReader,
  builder: StreamedBuilder,
  { signal, onBlock }: ThreadRules,
): Promise<void> {
  while (!reader.hasEnded) {
    signal?.throwIfAborted();
    if (!reader.read()) await reader.wait(signal);
    onBlock(reader.position, builder);
    // Such as messages.
    await otherWork();
  }
}
