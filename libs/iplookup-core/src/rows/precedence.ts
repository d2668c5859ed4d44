import { toBigInt } from '../address/address-words.js';
import type { RowOrder } from './row-heap.js';
import type { RowStore } from './row-store.js';

/** Which of two overlapping rows wins: the later one in the input, or the one with fewer addresses. */
export type Precedence = 'later' | 'specific';

/** Lines of rows that were split, with the number of addresses of the whole row, less one. */
export type SplitLines = ReadonlyMap<number, bigint>;

export const LATER_WINS: RowOrder = (a, b) => a - b;

/** Among rows with as many addresses, the later one wins. */
export function specificWins(rows: RowStore, splitLines: SplitLines): RowOrder {
  const sizeOf = (row: number): number | bigint => splitLines.get(rows.lineOf(row)) ?? ownSize(rows, row);
  return (a, b) => {
    const [size, other] = [sizeOf(a), sizeOf(b)];
    if (size === other) return a - b;
    return size < other ? 1 : -1;
  };
}

/** Number of addresses, less one. */
function ownSize(rows: RowStore, row: number): number | bigint {
  const words = rows.chunkOf(row);
  const at = rows.offset(row);
  if (rows.width === 1) return words[at + 1]! - words[at]!;
  return toBigInt(words, at + 4) - toBigInt(words, at);
}
