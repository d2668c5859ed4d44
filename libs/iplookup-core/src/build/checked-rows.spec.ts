import fc from 'fast-check';
import { runs } from '../../test/property-runs.js';
import { FieldBounds, scanRecord, UNCLOSED_QUOTE } from '../csv/scan-record.js';
import { formatMessage, type OptionMessage } from '../messages/option-message.js';
import { ViolationList } from './input-violations.js';
import { planBuild } from './plan-build.js';
import { RowReader } from './row-reader.js';

const MIB = 1 << 20;
const HEADER = 'a,b,v\n';

class AllViolations extends ViolationList {
  readonly all: string[] = [];

  override add(row: number, reason: string | OptionMessage): void {
    this.all.push(`${row} ${formatMessage(reason)}`);
  }
}

function violationsIn(pieces: readonly string[]): string[] {
  const violations = new AllViolations('input.csv');
  const plan = planBuild('input.csv', { kind: 'csv', buildEpoch: 1 });
  const reader = new RowReader(plan, { add: () => undefined }, violations);
  for (const piece of pieces) reader.push(Buffer.from(piece));
  reader.end();
  return violations.all;
}

describe('lines that open a quote which is closed far away, or never,', () => {
  const open = 'b","""\n';
  const count = Math.ceil((3 * MIB) / open.length);

  test.each([
    ['', 'a quote is not closed'],
    ['"x\n', 'text follows a closing quote'],
  ])('are each reported, in time that grows with their number (then %j)', (end, last) => {
    const found = violationsIn((HEADER + open.repeat(count) + end).match(/[^]{1,65536}/g) ?? []);
    expect(found.length).toBeGreaterThanOrEqual(count);
    expect(found.slice(0, 2)).toEqual([
      '2 a quote is not closed within 1 MiB',
      '3 a quote is not closed within 1 MiB',
    ]);
    expect(found[count - 1]).toBe(`${count + 1} ${last}`);
  });

  test('are reported as if each line were read on its own', () => {
    const piece = fc.constantFrom('x', '"', '""', ',', '\n', '\n', '\r\n', open, ',"', '",');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const found = violationsIn([HEADER + pieces.join('')]);
        const broken = brokenLines(Buffer.from(pieces.join('')));
        expect(found.filter((violation) => violation.includes('quote'))).toEqual(broken);
      }),
      { numRuns: runs(500) },
    );
  });

  /** The lines, after a header, at which a record starts that has no proper end. */
  function brokenLines(bytes: Buffer): string[] {
    const found: string[] = [];
    let line = 2;
    for (let p = 0; p < bytes.length;) {
      const next = scanRecord(bytes, p, bytes.length, true, 44, new FieldBounds());
      if (next === UNCLOSED_QUOTE) found.push(`${line} a quote is not closed`);
      else if (next < 0) found.push(`${line} text follows a closing quote`);
      const lineEnd = bytes.indexOf('\n', p);
      const after = next >= 0 ? next : lineEnd < 0 ? bytes.length : lineEnd + 1;
      line += bytes.subarray(p, after).filter((byte) => byte === 10).length;
      p = after;
    }
    return found;
  }
});
