import { ByteTable, type EntryTable } from '../values/byte-table.js';
import type { Engine } from './engine.js';

/** Most entries, and the most bytes of one: see `assembly/layout.ts`. */
const MAX_ENTRIES = (1 << 21) - 1;
const MAX_ENTRY_BYTES = 2 << 20;

/** Fewer bytes are faster to copy one by one than as a part of their memory. */
const MAX_COPIED = 64;

/** An entry's length and number, before its bytes. */
const HEAD_BYTES = 8;

/** A table in the engine's memory. When that is full, it becomes one in JavaScript, with the same numbers. */
export class EngineTable implements EntryTable {
  private readonly bytes: Buffer;
  private readonly words: Uint32Array;
  private readonly places: Uint32Array;
  private readonly entry: Buffer;
  private moved: ByteTable | undefined;

  /** @param isRecords which of the engine's two tables */
  constructor(
    private readonly engine: Engine,
    private readonly isRecords: boolean,
  ) {
    const { buffer } = engine.memory;
    this.bytes = Buffer.from(buffer);
    this.words = new Uint32Array(buffer);
    this.places = new Uint32Array(buffer, engine.placesAt(isRecords), MAX_ENTRIES);
    this.entry = Buffer.from(buffer, engine.entryAt(), MAX_ENTRY_BYTES);
  }

  get size(): number {
    return this.moved?.size ?? this.engine.entryCount(this.isRecords);
  }

  intern(bytes: Uint8Array, view: DataView, start: number, end: number): number {
    if (this.moved === undefined) {
      this.entry.set(bytes.subarray(start, end));
      const entry = this.engine.intern(this.isRecords, this.engine.entryAt(), end - start);
      if (entry >= 0) return entry;
      this.move();
    }
    return this.moved!.intern(bytes, view, start, end);
  }

  lengthOf(entry: number): number {
    return this.moved?.lengthOf(entry) ?? this.words[this.places[entry]! >>> 2]!;
  }

  copy(entry: number, target: Uint8Array, at: number): void {
    if (this.moved !== undefined) {
      this.moved.copy(entry, target, at);
      return;
    }
    const start = this.places[entry]! + HEAD_BYTES;
    const end = start + this.lengthOf(entry);
    if (end - start > MAX_COPIED) target.set(this.bytes.subarray(start, end), at);
    else for (let i = start; i < end; i++) target[at + i - start] = this.bytes[i]!;
  }

  private move(): void {
    this.engine.setReading(false);
    const moved = new ByteTable();
    const view = new DataView(this.bytes.buffer);
    for (let entry = 0, { size } = this; entry < size; entry++) {
      const start = this.places[entry]! + HEAD_BYTES;
      moved.intern(this.bytes, view, start, start + this.lengthOf(entry));
    }
    this.moved = moved;
  }
}
