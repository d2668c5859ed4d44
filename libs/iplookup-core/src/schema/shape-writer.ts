import { TYPE } from '../mmdb/mmdb-format.js';
import { ByteTable } from '../values/byte-table.js';
import type { ByteWriter } from '../mmdb/byte-writer.js';
import { ABSENT, type RecordPool } from '../values/record-pool.js';
import { Uint32List } from '../values/uint32-list.js';
import type { Shape } from './record-layout.js';

/** A part of the shape, with keys as value numbers. */
interface Part {
  readonly id: number;
  readonly type: typeof TYPE.map | typeof TYPE.array | undefined;
  /** The columns in it. */
  readonly columns: readonly number[];
  /** Keys of a map; empty for an array. */
  readonly keys: readonly number[];
  readonly parts: readonly Part[];
}

/**
 * Writes nested records without what is false, as MaxMind does. A map equal to an earlier one in the same place becomes a
 * pointer to it.
 */
export class ShapeWriter {
  private readonly root: Part;
  private readonly known = new ByteTable();
  /** Offset of a known map in the data section, plus one. */
  private readonly places = new Uint32List();
  private nextId = 0;
  /** The number of the value false. */
  private readonly no: number;

  constructor(
    private readonly records: RecordPool,
    shape: Shape,
  ) {
    this.no = records.intern((target) => target.control(TYPE.boolean, 0));
    this.root = this.compile(shape);
  }

  /**
   * Writes the record selected in `records`.
   *
   * @param base offset of `target`'s content in the data section
   */
  write(target: ByteWriter, base: number): void {
    this.writeWhole(this.root, target, base);
  }

  private compile(shape: Shape): Part {
    const id = this.nextId++;
    if (shape.kind === 'cell') return { id, type: undefined, columns: [shape.column], keys: [], parts: [] };
    const parts = [...shape.entries.values()].map((entry) => this.compile(entry));
    const keys = [...shape.entries.keys()].map((key) => this.records.intern((target) => target.text(key)));
    return {
      id,
      type: TYPE[shape.kind],
      columns: parts.flatMap(({ columns }) => columns),
      keys: shape.kind === 'map' ? keys : [],
      parts,
    };
  }

  private writePart(part: Part, target: ByteWriter, base: number): void {
    if (part.type === undefined) this.records.values.write(this.records.cell(part.columns[0]!), target, base);
    else this.writeOnce(part, target, base);
  }

  private writeOnce(part: Part, target: ByteWriter, base: number): void {
    const entry = this.entryOf(part);
    const place = this.places.at(entry) - 1;
    if (place >= 0) {
      target.pointer(place);
      return;
    }
    this.places.set(entry, base + target.length + 1);
    this.writeWhole(part, target, base);
  }

  /** The number of the part's combination of values. */
  private entryOf({ id, columns }: Part): number {
    const numbers = Uint32Array.from([id, ...columns.map((column) => this.records.cell(column))]);
    const view = new DataView(numbers.buffer);
    const entry = this.known.intern(new Uint8Array(numbers.buffer), view, 0, view.byteLength);
    if (entry === this.places.length) this.places.push(0);
    return entry;
  }

  private writeWhole({ type, keys, parts }: Part, target: ByteWriter, base: number): void {
    target.control(type!, parts.filter((part) => this.isPresent(part)).length);
    for (const [index, part] of parts.entries()) {
      if (!this.isPresent(part)) continue;
      const key = keys[index];
      if (key !== undefined) this.records.values.write(key, target, base);
      this.writePart(part, target, base);
    }
  }

  private isPresent({ columns }: Part): boolean {
    return columns.some((column) => {
      const value = this.records.cell(column);
      return value !== ABSENT && value !== this.no;
    });
  }
}
