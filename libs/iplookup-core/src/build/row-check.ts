import type { BuildPlan } from './build-plan.js';
import { ViolationList } from './input-violations.js';
import type { OptionMessage } from '../messages/option-message.js';
import { RowReader } from './row-reader.js';

/** Reads a CSV file as a build does, and keeps nothing but which of its rows are invalid. */
export class RowCheck {
  /** The lines on which invalid rows start, from 1. */
  readonly invalidLines = new Set<number>();
  private readonly violations: ViolationList;
  private readonly reader: RowReader;

  constructor(private readonly plan: BuildPlan) {
    this.violations = new RecordingViolationList(plan.file, this.invalidLines);
    this.reader = new RowReader(plan, { add: () => undefined }, this.violations);
  }

  /** Takes the next bytes of the file, which may end anywhere. @throws {LookupInputError} when it is useless */
  push(chunk: Uint8Array): void {
    this.reader.push(chunk);
  }

  /** Ends the input. @throws {LookupInputError} when a build would refuse it for its rows */
  end(): void {
    this.reader.end();
    if (this.violations.count > 0 && !this.plan.skipInvalid) throw this.violations.invalidRows();
  }
}

class RecordingViolationList extends ViolationList {
  constructor(
    file: string,
    private readonly lines: Set<number>,
  ) {
    super(file);
  }

  override add(row: number, reason: string | OptionMessage, column?: string, text?: string): void {
    super.add(row, reason, column, text);
    this.lines.add(row);
  }
}
