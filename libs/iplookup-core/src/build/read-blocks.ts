import type { ScannedBlock } from '../scan/block-scanner.js';
import type { LookupBuilder } from './lookup-builder.js';
import { TextPayloads } from './text-payloads.js';

/** Size of the pieces in which bytes are read that no scanner could use. */
const PIECE_BYTES = 1 << 20;

/** Reads bytes of a file. @returns those from `position` on, none at the file's end, valid until the next call */
export type ReadPiece = (position: number, length: number) => Promise<Uint8Array>;

/**
 * Reads the rest of a file whose rows others scan. The builder alone decides where rows start: it takes a run of rows only
 * where it has just finished one, and otherwise reads the bytes itself. So the result does not depend on the blocks.
 *
 * @param blocks of the file from `start` on, in order
 * @yields the position after each block
 * @throws {LookupInputError} if the whole file is invalid
 */
export async function* readBlocks(
  builder: LookupBuilder,
  blocks: AsyncIterable<ScannedBlock>,
  start: number,
  read: ReadPiece,
): AsyncGenerator<number> {
  const payloads: TextPayloads[] = [];
  let position = start;
  const readTo = async (end: number): Promise<void> => {
    while (position < end) {
      const piece = await read(position, Math.min(end - position, PIECE_BYTES));
      if (piece.length === 0) return;
      builder.push(piece);
      position += piece.length;
    }
  };
  for await (const { scanner, runs } of blocks) {
    for (const run of runs) {
      await readTo(run.start);
      if (position !== run.start || builder.rowFormat === undefined) continue;
      builder.addRows(run, (payloads[scanner] ??= new TextPayloads()));
      position = run.end;
    }
    yield position;
  }
  await readTo(Infinity);
  yield position;
}
