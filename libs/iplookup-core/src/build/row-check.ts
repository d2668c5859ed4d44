import type { BuildPlan } from './build-plan.js';
import { FaultList } from './input-fault.js';
import type { Wording } from '../messages/option-message.js';
import { RowReader } from './row-reader.js';

/** Reads a CSV file as a build does, and keeps nothing but which of its rows are invalid. */
export class RowCheck {
  /** The lines on which invalid rows start, from 1. */
  readonly invalidLines = new Set<number>();
  private readonly faults: FaultList;
  private readonly reader: RowReader;

  constructor(private readonly plan: BuildPlan) {
    this.faults = new NotingFaultList(plan.file, this.invalidLines);
    this.reader = new RowReader(plan, { add: () => undefined }, this.faults);
  }

  /** Takes the next bytes of the file, which may end anywhere. @throws {LookupInputError} when it is useless */
  push(chunk: Uint8Array): void {
    this.reader.push(chunk);
  }

  /** Tells that the file is complete. @throws {LookupInputError} when a build would refuse it for its rows */
  end(): void {
    this.reader.end();
    if (this.faults.count > 0 && !this.plan.skipInvalid) throw this.faults.invalidRows();
  }
}

class NotingFaultList extends FaultList {
  constructor(
    file: string,
    private readonly lines: Set<number>,
  ) {
    super(file);
  }

  override add(row: number, reason: string | Wording, column?: string, text?: string): void {
    super.add(row, reason, column, text);
    this.lines.add(row);
  }
}
