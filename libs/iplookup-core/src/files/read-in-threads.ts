import { read } from 'node:fs';
import { promisify } from 'node:util';
import type { LookupBuilder } from '../build/lookup-builder.js';
import { readBlocks } from '../build/read-blocks.js';
import type { BlockSizes } from '../scan/block-scanner.js';
import type { ScanProgram } from '../scan/row-scanner.js';
import { scanBlocks } from './block-threads.js';
import { InputFileError } from './file.errors.js';

const readInto = promisify(read);

/** Rows are rarely longer than what is read after a block; one that is ends its block. */
const SIZES: BlockSizes = { block: 1 << 21, lookAhead: 1 << 16 };

/** A file to read with several threads. */
export interface ThreadedInput {
  /** Its name in messages. */
  readonly name: string;
  readonly descriptor: number;
  /** Where the builder has read to. */
  readonly position: number;
  readonly size: number;
  /** Threads that scan, at least 1. */
  readonly threads: number;
}

/**
 * Reads the rest of a file whose rows other threads scan.
 *
 * @yields the position now and then
 * @throws {LookupInputError} if the whole file is invalid
 * @throws {InputFileError} if it cannot be read
 */
export function readInThreads(
  builder: LookupBuilder,
  program: ScanProgram,
  { name, descriptor, position, size, threads }: ThreadedInput,
): AsyncGenerator<number> {
  let piece = Buffer.alloc(0);
  const readPiece = async (at: number, length: number): Promise<Uint8Array> => {
    if (piece.length < length) piece = Buffer.allocUnsafeSlow(length);
    try {
      const { bytesRead } = await readInto(descriptor, piece, 0, length, at);
      return piece.subarray(0, bytesRead);
    } catch (error) {
      throw InputFileError.from(name, error);
    }
  };
  const task = { descriptor, program, format: builder.rowFormat!, sizes: SIZES };
  return readBlocks(builder, scanBlocks(task, threads, position, size), position, readPiece);
}
