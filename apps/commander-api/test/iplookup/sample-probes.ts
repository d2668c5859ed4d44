import type { SampleRow } from './sample-rows.js';

/** An address in text form, and what a lookup must say of it. */
export interface Probe {
  readonly address: string;
  readonly record: SampleRow['record'];
  /** True when no row holds the address. */
  readonly gap: boolean;
}

const MAPPED = 0xffffn << 32n;
const SIX_TO_FOUR = 0x2002n << 112n;
const END = 1n << 128n;

/**
 * The first, a middle and the last address of each row and the two beside it, IPv4 ones as they are, IPv4-mapped and as
 * 6to4 addresses.
 *
 * @param rows sorted, none of them overlapping another
 */
export function* probesOf(rows: readonly SampleRow[]): Generator<Probe> {
  for (const { first: begin, last } of rows) {
    // Of a row that begins in ::/96, where IPv4 addresses are looked up, only what follows is surely its own.
    const first = begin < MAPPED ? MAPPED : begin;
    if (last < first) continue;
    for (const address of [first - 1n, first, (first + last) / 2n, last, last + 1n]) {
      if (address < MAPPED || address >= END) continue;
      for (const form of formsOf(address)) yield { address: textOf(form), ...whatIs(rows, form) };
      if (address >> 32n === 0xffffn) yield { address: dotted(address), ...whatIs(rows, address) };
    }
  }
}

function formsOf(address: bigint): bigint[] {
  return address >> 32n === 0xffffn ? [address, SIX_TO_FOUR + ((address - MAPPED) << 80n) + 7n] : [address];
}

/** 6to4 addresses without a row of their own are the IPv4 address within. */
function whatIs(rows: readonly SampleRow[], address: bigint): Pick<Probe, 'record' | 'gap'> {
  const row = rowAt(rows, address);
  if (row === undefined && address >> 112n === 0x2002n)
    return whatIs(rows, MAPPED + ((address >> 80n) & 0xffff_ffffn));
  return { record: row?.record, gap: row === undefined };
}

function rowAt(rows: readonly SampleRow[], address: bigint): SampleRow | undefined {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]!.last < address) low = middle + 1;
    else high = middle;
  }
  const row = rows[low];
  return row !== undefined && row.first <= address ? row : undefined;
}

function textOf(address: bigint): string {
  return address.toString(16).padStart(32, '0').match(/.{4}/g)!.join(':');
}

function dotted(address: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (address >> shift) & 0xffn).join('.');
}
