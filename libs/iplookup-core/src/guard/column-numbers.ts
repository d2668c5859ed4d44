import { columnValue, valueText } from '../mmdb/column-value.js';
import type { LookupRecord } from '../mmdb/decode-value.js';
import type { ParsedLookup } from '../mmdb/parsed-lookup.js';
import { placeOf, recordOffsets } from '../networks/record-offsets.js';

/** Numbers the values of a column, the same in several lookups. */
export class ColumnNumbers {
  private readonly numbers = new Map<string, number>();
  private readonly texts: string[] = [''];
  private readonly keys: readonly string[];

  constructor(readonly column: string) {
    this.keys = column.split('.');
  }

  /** The number of a record's value; 0 for none. */
  of(record: LookupRecord): number {
    const value = columnValue(record, this.keys);
    if (value === undefined) return 0;
    const text = valueText(value);
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    this.numbers.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }

  /** The value with a number, or `undefined`. */
  text(number: number): string | undefined {
    return number === 0 ? undefined : this.texts[number];
  }
}

const SLOTS = 1 << 16;

/** A lookup with the numbers of its records' values, one list per column. */
export class NumberedLookup {
  readonly offsets: Uint32Array;
  private readonly numbers: readonly Uint32Array[];
  /** A cache of references and their places, since networks share records. No record has the reference 0. */
  private readonly references = new Uint32Array(SLOTS);
  private readonly places = new Uint32Array(SLOTS);

  constructor(
    readonly lookup: ParsedLookup,
    columns: readonly ColumnNumbers[],
  ) {
    this.offsets = recordOffsets(lookup);
    this.numbers = columns.map(() => new Uint32Array(this.offsets.length));
    if (columns.length === 0) return;
    for (const [place, offset] of this.offsets.entries()) {
      const record = lookup.recordAt(offset);
      for (const [index, column] of columns.entries()) this.numbers[index]![place] = column.of(record);
    }
  }

  /** The place of a reference's record among all records. */
  placeOf(reference: number): number {
    const slot = reference & (SLOTS - 1);
    if (this.references[slot] !== reference) {
      this.references[slot] = reference;
      this.places[slot] = placeOf(this.lookup.offsetOf(reference), this.offsets);
    }
    return this.places[slot]!;
  }

  /** The number of the value of a reference's record; 0 for none. */
  numberAt(reference: number, column: number): number {
    if (reference === this.lookup.tree.nodeCount) return 0;
    return this.numbers[column]![this.placeOf(reference)]!;
  }
}
