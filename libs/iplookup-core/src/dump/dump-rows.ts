import { compareWords, copyWords, nextAddress } from '../address/address-words.js';
import { formatIpv4, formatIpv6 } from '../address/format-address.js';
import { RANGE_KEYS } from '../schema/record-layout.js';
import type { LookupRecord, LookupValue } from '../mmdb/decode-value.js';
import { familyTrees } from '../networks/family-tree.js';
import { NetworkWalk } from '../networks/network-walk.js';
import type { ParsedLookup } from '../mmdb/parsed-lookup.js';
import { flatten } from './dump-columns.js';

/** A dump's address format: `range` in two columns, or `cidr` in one column of networks. */
export type DumpForm = 'range' | 'cidr';

/** Cells of records kept by offset; cleared when full. */
const MAX_CACHED_ROWS = 16_384;

/**
 * Converts a lookup to rows of cells, after a header: IPv4 before IPv6, in address order. Adjacent networks with the
 * same record are merged.
 *
 * @param columns see `dumpColumns`
 */
export function* dumpRows(
  lookup: ParsedLookup,
  columns: readonly string[],
  form: DumpForm,
): Generator<readonly string[]> {
  yield [...addressNames(columns, form), ...columns];
  const cells = new RecordCells(lookup, columns);
  for (const tree of familyTrees(lookup)) {
    const walk = new NetworkWalk(tree);
    if (form === 'range') yield* ranges(walk, lookup, cells, tree.bits === 32 ? 1 : 4);
    else while (walk.next()) yield [walk.network, ...cells.of(lookup.offsetOf(walk.left))];
  }
}

/** Names for the address columns that do not clash with value columns. */
function addressNames(columns: readonly string[], form: DumpForm): readonly string[] {
  const choices = form === 'range' ? [RANGE_KEYS, ['range_first', 'range_last']] : [['network'], ['range']];
  return choices.find((names) => !names.some((name) => columns.includes(name))) ?? choices[0]!;
}

function* ranges(
  walk: NetworkWalk,
  lookup: ParsedLookup,
  cells: RecordCells,
  width: 1 | 4,
): Generator<readonly string[]> {
  const first = new Uint32Array(4);
  const last = new Uint32Array(4);
  const after = new Uint32Array(4);
  let reference = -1;
  const row = (): readonly string[] => [
    addressText(first, width),
    addressText(last, width),
    ...cells.of(lookup.offsetOf(reference)),
  ];
  while (walk.next()) {
    if (walk.left !== reference || compareWords(walk.address, 0, after, 0, width) !== 0) {
      if (reference >= 0) yield row();
      reference = walk.left;
      copyWords(walk.address, 0, first, 0, width);
    }
    lastOf(walk, last, width);
    nextAddress(last, 0, after, 0, width);
  }
  if (reference >= 0) yield row();
}

function lastOf({ address, length }: NetworkWalk, last: Uint32Array, width: number): void {
  for (let word = 0; word < width; word++) {
    const kept = Math.min(32, Math.max(0, length - 32 * word));
    last[word] = kept === 32 ? address[word]! : address[word]! | (0xffff_ffff >>> kept);
  }
}

function addressText(words: Uint32Array, width: number): string {
  return width === 1 ? formatIpv4(words[0]!) : formatIpv6(words, 0);
}

/** The cells of records, in column order. */
class RecordCells {
  private readonly cached = new Map<number, readonly string[]>();
  private readonly places: ReadonlyMap<string, number>;

  constructor(
    private readonly lookup: ParsedLookup,
    private readonly columns: readonly string[],
  ) {
    this.places = new Map(columns.map((column, place) => [column, place]));
  }

  of(offset: number): readonly string[] {
    const known = this.cached.get(offset);
    if (known !== undefined) return known;
    const cells = this.read(this.lookup.recordAt(offset));
    if (this.cached.size >= MAX_CACHED_ROWS) this.cached.clear();
    this.cached.set(offset, cells);
    return cells;
  }

  private read(record: LookupRecord): readonly string[] {
    const cells = new Array<string>(this.columns.length).fill('');
    for (const [path, value] of flatten(record)) {
      const place = this.places.get(path);
      if (place !== undefined) cells[place] = textOf(value);
    }
    return cells;
  }
}

function textOf(value: LookupValue): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : String(value);
}
