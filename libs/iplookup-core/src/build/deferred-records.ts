import type { DataSection } from '../mmdb/data-section.js';
import { PIECE_BYTES, type RowRecords } from '../scan/row-records.js';
import { Uint32List } from '../values/uint32-list.js';

/** Numbers of a run. */
const RUN = 3;

/**
 * Rows whose records are encoded when a data section is read, instead of being stored. If each row has its own record, they
 * are most of the section, and memory for them would take more time than encoding them.
 */
export class DeferredRecords {
  /** Number of rows. */
  count = 0;
  /** For each run of consecutive rows: the stored bytes before it, its first row, and the row after it. */
  private readonly runs = new Uint32List();

  /** Adds a row whose record follows the first `stored` bytes of those that are stored. */
  add(row: number, stored: number): void {
    const { runs } = this;
    const last = runs.length - RUN;
    this.count++;
    if (last >= 0 && runs.at(last) === stored && runs.at(last + 2) === row) runs.set(last + 2, row + 1);
    else for (const number of [stored, row, row + 1]) runs.push(number);
  }

  /** The section's content; each chunk is valid until the next one is requested. */
  *content(section: DataSection, records: RowRecords): Generator<Uint8Array> {
    for (const steps = this.write(section, records); !steps.next().done;) {
      if (records.length >= PIECE_BYTES) yield records.take();
    }
    yield records.take();
  }

  /** Writes the content in small steps. */
  private *write(section: DataSection, records: RowRecords): Generator<void> {
    const { runs } = this;
    let stored = 0;
    for (let run = 0; run < runs.length; run += RUN) {
      yield* section.copy(stored, runs.at(run), records);
      stored = runs.at(run);
      const end = runs.at(run + 2);
      for (let row = runs.at(run + 1); row < end;) {
        row = records.encode(row, end);
        if (records.length >= PIECE_BYTES) yield;
      }
    }
    yield* section.copy(stored, section.stored, records);
  }
}
