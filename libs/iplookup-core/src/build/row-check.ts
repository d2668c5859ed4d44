import type { BuildPlan } from './build-plan.js';
import { ViolationList } from './input-violations.js';
import type { OptionMessage } from '../messages/option-message.js';
import { RowReader } from './row-reader.js';

/** Reads a CSV file like a build, but records only its invalid rows. */
export class RowCheck {
  /** 1-based lines on which invalid rows start. */
  readonly invalidLines = new Set<number>();
  private readonly violations: ViolationList;
  private readonly reader: RowReader;

  constructor(private readonly plan: BuildPlan) {
    this.violations = new RecordingViolationList(plan.file, this.invalidLines);
    this.reader = new RowReader(plan, { add: () => undefined }, this.violations);
  }

  /** Processes the next bytes, split anywhere. @throws {LookupInputError} if the whole file is invalid */
  push(chunk: Uint8Array): void {
    this.reader.push(chunk);
  }

  /** Ends the input. @throws {LookupInputError} if a build would reject its rows */
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
