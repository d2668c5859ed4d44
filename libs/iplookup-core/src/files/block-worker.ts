/** Scans blocks of a file in a thread of its own: see `scanBlocks`. */
import { readSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { type Block, BlockScanner, type BlockSizes } from '../scan/block-scanner.js';
import type { RowFormat, ScanProgram } from '../scan/row-scanner.js';

/** What the thread is started with. */
export interface BlockTask {
  readonly descriptor: number;
  readonly program: ScanProgram;
  readonly format: RowFormat;
  readonly sizes: BlockSizes;
}

const { descriptor, program, format, sizes } = workerData as BlockTask;
const scanner = new BlockScanner(program, format, sizes);

parentPort!.on('message', (block: Block) => {
  const runs = scanner.scan(block, readAt);
  const buffers = new Set(runs.flatMap(({ rows, bytes }) => [rows.buffer, bytes.buffer] as ArrayBuffer[]));
  parentPort!.postMessage(runs, [...buffers]);
});

function readAt(target: Buffer, position: number): number {
  let length = 0;
  for (let size = -1; size !== 0 && length < target.length; length += size)
    size = readSync(descriptor, target, length, target.length - length, position + length);
  return length;
}
