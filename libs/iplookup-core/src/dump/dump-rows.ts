import { RANGE_KEYS } from '../schema/record-layout.js';
import type { LookupRecord, LookupValue } from '../mmdb/decode-value.js';
import { familyTrees } from '../networks/family-tree.js';
import type { ParsedLookup } from '../mmdb/parsed-lookup.js';
import { flatten } from './dump-columns.js';
import { type DumpForm, RecordRanges } from './record-ranges.js';

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
    const ranges = new RecordRanges(tree, form);
    while (ranges.next()) {
      const address = form === 'range' ? [ranges.first, ranges.last] : [ranges.network];
      yield [...address, ...cells.of(lookup.offsetOf(ranges.reference))];
    }
  }
}

/** Names for the address columns that do not clash with value columns. */
function addressNames(columns: readonly string[], form: DumpForm): readonly string[] {
  const choices = form === 'range' ? [RANGE_KEYS, ['range_first', 'range_last']] : [['network'], ['range']];
  return choices.find((names) => !names.some((name) => columns.includes(name))) ?? choices[0]!;
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
