import { Worker } from 'node:worker_threads';
import type { Block, ScannedBlock, ScannedRun } from '../scan/block-scanner.js';
import type { BlockTask } from './block-worker.js';

/** The worker as built, seen from `src` and from `dist`. */
const WORKER = new URL('../../dist/files/block-worker.js', import.meta.url);

/** Blocks given to a thread before its first result is taken. */
const AHEAD = 3;

/**
 * Scans a file in several threads, from one position to another.
 *
 * @yields the blocks in the file's order. Those of a thread that cannot run, such as for lack of memory, have no runs
 */
export async function* scanBlocks(
  task: BlockTask,
  threads: number,
  start: number,
  end: number,
): AsyncGenerator<ScannedBlock> {
  const workers = Array.from({ length: threads }, () => new BlockThread(task));
  const scanning: Promise<ScannedBlock>[] = [];
  let from = start;
  const scanNext = (block: number): void => {
    if (from >= end) return;
    const to = Math.min(from + task.sizes.block, end);
    const scanner = block % threads;
    const found = workers[scanner]!.scan({ from, to, isFirst: from === start });
    scanning.push(found.then((runs) => ({ scanner, runs })));
    from = to;
  };
  try {
    for (let block = 0; block < threads * AHEAD; block++) scanNext(block);
    for (let block = threads * AHEAD; scanning.length > 0; block++) {
      const scanned = await scanning.shift()!;
      scanNext(block);
      yield scanned;
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
}

/** A thread that scans one block after the other. */
class BlockThread {
  private readonly worker: Worker;
  private readonly waiting: ((runs: readonly ScannedRun[]) => void)[] = [];
  private ended = false;

  constructor(task: BlockTask) {
    this.worker = new Worker(WORKER, { workerData: task });
    this.worker.on('message', (runs: ScannedRun[]) => this.waiting.shift()?.(runs));
    // What it could not read is read, or refused, by its caller.
    this.worker.on('error', () => this.end());
    this.worker.on('exit', () => this.end());
  }

  scan(block: Block): Promise<readonly ScannedRun[]> {
    if (this.ended) return Promise.resolve([]);
    this.worker.postMessage(block);
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  async stop(): Promise<void> {
    await this.worker.terminate();
  }

  private end(): void {
    this.ended = true;
    for (const resolve of this.waiting.splice(0)) resolve([]);
  }
}
