import { pointerTo, type Violation } from '@svc/client-metadata';

/** More are counted, not listed: an answer stays readable, and short. */
const MAX_LISTED = 200;

/** What is wrong with the lines. It may be found in any order. */
export class LineViolations {
  private readonly listed: Violation[] = [];
  private found: { readonly line: number; readonly violations: readonly Violation[] }[] = [];
  private count = 0;

  get isEmpty(): boolean {
    return this.count === 0;
  }

  /** @param violations their fields are places in the line */
  add(line: number, violations: readonly Violation[]): void {
    this.count += violations.length;
    this.found.push({ line, violations });
  }

  /** All that is wrong with the lines up to this one has been found. */
  settle(lastLine: number): void {
    const settled = this.found.filter(({ line }) => line <= lastLine).sort((a, b) => a.line - b.line);
    this.found = this.found.filter(({ line }) => line > lastLine);
    for (const { line, violations } of settled) {
      const places = violations.slice(0, MAX_LISTED - this.listed.length);
      this.listed.push(
        ...places.map((violation) => ({ ...violation, field: pointerTo('lines', line) + violation.field })),
      );
    }
  }

  /** In the order of the lines; the last one may tell how many more there are. */
  toViolations(): Violation[] {
    const surplus = this.count - this.listed.length;
    const more = { field: '/lines', code: 'more_problems', message: `there are ${surplus} more problems` };
    return surplus > 0 ? [...this.listed, more] : [...this.listed];
  }
}
