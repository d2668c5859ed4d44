import { compareWords, toBigInt } from '../address/address-words.js';
import { RowStore } from '../rows/row-store.js';
import type { ScannedRows } from '../scan/row-scanner.js';
import type { BuildPlan } from './build-plan.js';
import { EMPTY_ROW, FULL_ROW, isDropped, kindOf, PARTLY_EMPTY, recordOf } from './row-payload.js';
import type { RowSink } from './row-sink.js';

/** The last address of each separate block: ::/96, up to ::ffff:0:0/96, that block, and the rest. */
const BLOCK_ENDS = [
  [0, 0, 0, 0xffff_ffff],
  [0, 0, 0xfffe, 0xffff_ffff],
  [0, 0, 0xffff, 0xffff_ffff],
  [0xffff_ffff, 0xffff_ffff, 0xffff_ffff, 0xffff_ffff],
].map((words) => Uint32Array.from(words));

/** The first address after each block but the last. */
const AFTER_BLOCK = [
  [0, 0, 1, 0],
  [0, 0, 0xffff, 0],
  [0, 0, 0x1_0000, 0],
].map((words) => Uint32Array.from(words));

/** Added to the value of a piece in ::ffff:0:0/96; values have fewer bits. */
const MAPPED_PIECE = 0x8000_0000;

/** True if a piece is in ::ffff:0:0/96, false if it is in ::/96. */
export function isMappedPiece(value: number): boolean {
  return value >= MAPPED_PIECE;
}

/** The value of a piece, without its mark. */
export function pieceValue(value: number): number {
  return isMappedPiece(value) ? value - MAPPED_PIECE : value;
}

/** Decides which valid rows to keep, and splits their ranges by address family. */
export class RangeCollector implements RowSink {
  readonly ipv4: RowStore;
  readonly ipv6: RowStore;
  /**
   * The parts of IPv6 rows in ::/96 and ::ffff:0:0/96, by the last word of the address. They apply to IPv4 addresses
   * not covered by IPv4 rows. Values are marked, see {@link isMappedPiece}.
   */
  readonly behindIpv4 = new RowStore(1);
  read = 0;
  kept = 0;
  dropped = 0;
  emptyRows = 0;
  partlyEmptyRows = 0;
  /** Rows without an IPv4 address, left out of an IPv4 tree. */
  leftOut = 0;
  /** Lines of rows that were split at block boundaries, with the rows' sizes. */
  readonly splitLines = new Map<number, bigint>();
  private readonly piece = new Uint32Array(8);

  /** @param allocate arrays of rows */
  constructor(
    private readonly plan: BuildPlan,
    allocate?: (words: number) => Uint32Array,
  ) {
    this.ipv4 = new RowStore(1, allocate);
    this.ipv6 = new RowStore(4, allocate);
  }

  add(range: Uint32Array, payload: number, line: number): void {
    this.read++;
    const kind = kindOf(payload);
    if (kind !== FULL_ROW && this.leavesOut(kind)) return;
    const value = recordOf(payload);
    if (this.plan.format.width === 1) {
      this.kept++;
      this.ipv4.append(range, 0, 1, value, line);
    } else if (isMapped(range, 0) && isMapped(range, 4)) {
      this.kept++;
      this.ipv4.append(range, 3, 7, value, line);
    } else this.addIpv6(range, value, line);
  }

  addScanned({ read, emptyRows, partlyEmptyRows, ipv4, ipv6 }: ScannedRows): void {
    const kept = ipv4.count + ipv6.count;
    this.read += read;
    this.kept += kept;
    this.dropped += read - kept;
    this.emptyRows += emptyRows;
    this.partlyEmptyRows += partlyEmptyRows;
    this.ipv4.appendRun(ipv4);
    this.ipv6.appendRun(ipv6);
  }

  /** Counts a row with empty cells. @returns true if it is left out */
  private leavesOut(kind: number): boolean {
    if (kind === EMPTY_ROW) this.emptyRows++;
    else if (kind === PARTLY_EMPTY) this.partlyEmptyRows++;
    const dropped = isDropped(kind, this.plan.dropEmptyRows);
    if (dropped) this.dropped++;
    return dropped;
  }

  private addIpv6(range: Uint32Array, value: number, line: number): void {
    const behindBefore = this.behindIpv4.count;
    if (compareWords(range, 0, BLOCK_ENDS[2]!, 0, 4) > 0) {
      if (!this.plan.forceIpv4) this.ipv6.append(range, 0, 4, value, line);
    } else this.split(range, value, line);
    if (this.plan.forceIpv4 && this.behindIpv4.count === behindBefore) this.leftOut++;
    else this.kept++;
  }

  /** Splits a range at block boundaries. */
  private split(range: Uint32Array, value: number, line: number): void {
    const piece = this.piece;
    piece.set(range);
    for (const [block, end] of BLOCK_ENDS.entries()) {
      if (compareWords(piece, 0, end, 0, 4) > 0) continue;
      const last = compareWords(range, 4, end, 0, 4) <= 0;
      if (!last) this.splitLines.set(line, toBigInt(range, 4) - toBigInt(range, 0));
      piece.set(last ? range.subarray(4) : end, 4);
      this.store(block, value, line);
      if (last) return;
      piece.set(AFTER_BLOCK[block]!, 0);
    }
  }

  private store(block: number, value: number, line: number): void {
    if (block === 2) this.behindIpv4.append(this.piece, 3, 7, value + MAPPED_PIECE, line);
    else if (this.plan.forceIpv4) return;
    else if (block === 0) this.behindIpv4.append(this.piece, 3, 7, value, line);
    else this.ipv6.append(this.piece, 0, 4, value, line);
  }
}

function isMapped(words: Uint32Array, at: number): boolean {
  return words[at] === 0 && words[at + 1] === 0 && words[at + 2] === 0xffff;
}
