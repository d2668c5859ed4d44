import { ByteWriter } from '../mmdb/byte-writer.js';
import type { DataSection } from '../mmdb/data-section.js';
import { Uint32List } from '../values/uint32-list.js';

/** Size of the pieces of content. */
const PIECE_BYTES = 1 << 20;

/** Numbers of a run. */
const RUN = 3;

/**
 * Rows whose records are encoded when a data section is read, instead of being stored. If each row has its own record, they
 * are most of the section, and memory for them would take more time than encoding them.
 */
export class DeferredRecords {
  /** For each run of consecutive rows: the stored bytes before it, its first row, and the row after it. */
  private readonly runs = new Uint32List();

  /** @param encode writes a row's record */
  constructor(private readonly encode: (row: number, target: ByteWriter) => void) {}

  /** Adds a row whose record follows the first `stored` bytes of those that are stored. */
  add(row: number, stored: number): void {
    const { runs } = this;
    const last = runs.length - RUN;
    if (last >= 0 && runs.at(last) === stored && runs.at(last + 2) === row) runs.set(last + 2, row + 1);
    else for (const number of [stored, row, row + 1]) runs.push(number);
  }

  /** The section's content; each chunk is valid until the next one is requested. */
  *content(section: DataSection): Generator<Uint8Array> {
    const target = new ByteWriter();
    for (const steps = this.write(section, target); !steps.next().done;) {
      if (target.length < PIECE_BYTES) continue;
      yield target.bytes.subarray(0, target.length);
      target.clear();
    }
    yield target.bytes.subarray(0, target.length);
  }

  /** Writes the content in small steps. */
  private *write(section: DataSection, target: ByteWriter): Generator<void> {
    const { runs } = this;
    let stored = 0;
    for (let run = 0; run < runs.length; run += RUN) {
      yield* section.copy(stored, runs.at(run), target);
      stored = runs.at(run);
      for (let row = runs.at(run + 1); row < runs.at(run + 2); row++) {
        this.encode(row, target);
        if (target.length >= PIECE_BYTES) yield;
      }
    }
    yield* section.copy(stored, section.stored, target);
  }
}
