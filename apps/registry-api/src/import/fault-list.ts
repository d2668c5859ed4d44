import { pointerTo, type Problem as Fault } from '@svc/client-metadata';

/** More are counted, not listed: an answer stays readable, and short. */
const MAX_LISTED = 200;

/** What is wrong with the lines. It may be found in any order. */
export class FaultList {
  private readonly listed: Fault[] = [];
  private found: { readonly line: number; readonly faults: readonly Fault[] }[] = [];
  private count = 0;

  get isEmpty(): boolean {
    return this.count === 0;
  }

  /** @param faults their fields are places in the line */
  add(line: number, faults: readonly Fault[]): void {
    this.count += faults.length;
    this.found.push({ line, faults });
  }

  /** All that is wrong with the lines up to this one has been found. */
  settle(lastLine: number): void {
    const settled = this.found.filter(({ line }) => line <= lastLine).sort((a, b) => a.line - b.line);
    this.found = this.found.filter(({ line }) => line > lastLine);
    for (const { line, faults } of settled) {
      const places = faults.slice(0, MAX_LISTED - this.listed.length);
      this.listed.push(
        ...places.map((fault) => ({ ...fault, field: pointerTo('lines', line) + fault.field })),
      );
    }
  }

  /** In the order of the lines; the last one may tell how many more there are. */
  toFaults(): Fault[] {
    const surplus = this.count - this.listed.length;
    const more = { field: '/lines', code: 'more_problems', message: `there are ${surplus} more problems` };
    return surplus > 0 ? [...this.listed, more] : [...this.listed];
  }
}
