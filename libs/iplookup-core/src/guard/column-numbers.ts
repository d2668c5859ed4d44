import { columnValue, valueText } from '../mmdb/column-value.js';
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

  /** The number of each record's value, in the order of their offsets; 0 for none. */
  of(lookup: ParsedLookup, offsets: Uint32Array): Uint32Array {
    return Uint32Array.from(offsets, (offset) => {
      const value = columnValue(lookup.recordAt(offset), this.keys);
      return value === undefined ? 0 : this.numberOf(valueText(value));
    });
  }

  /** The value with a number, or `undefined`. */
  text(number: number): string | undefined {
    return number === 0 ? undefined : this.texts[number];
  }

  private numberOf(text: string): number {
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    this.numbers.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }
}

/** A lookup with the numbers of its records' values, one list per column. */
export class NumberedLookup {
  readonly offsets: Uint32Array;
  private readonly numbers: readonly Uint32Array[];

  constructor(
    readonly lookup: ParsedLookup,
    columns: readonly ColumnNumbers[],
  ) {
    this.offsets = recordOffsets(lookup);
    this.numbers = columns.map((column) => column.of(lookup, this.offsets));
  }

  /** The place of a reference's record among all records, or -1 for none. */
  placeOf(reference: number): number {
    if (reference === this.lookup.tree.nodeCount) return -1;
    return placeOf(this.lookup.offsetOf(reference), this.offsets);
  }

  /** The number of a record's value. */
  numberAt(place: number, column: number): number {
    return place < 0 ? 0 : this.numbers[column]![place]!;
  }
}
