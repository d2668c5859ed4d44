import { jest } from '@jest/globals';
import { ViolationList, LookupInputError } from '../src/build/input-violations.js';
import type { BuildOptions } from '../src/build/build-options.js';
import { planBuild } from '../src/build/plan-build.js';
import { recordOf } from '../src/build/row-payload.js';
import { RowReader } from '../src/build/row-reader.js';
import { RowValues } from '../src/build/row-values.js';

type Options = Partial<BuildOptions> & { readonly file?: string };

/** The rows read from a file. */
export interface FoundRows {
  /** Line, then the words of both addresses. */
  readonly rows: (readonly number[])[];
  /** Numbers of the rows' records. */
  readonly records: number[];
  readonly violations: string[];
  /** Number of rows whose values were parsed rather than cached. */
  readonly valuesRead: number;
}

/** Reads a file given in chunks. Default: textual IPv4 addresses. */
export function readRows(
  pieces: readonly (string | Uint8Array)[],
  { file = 'input.csv', ...options }: Options = {},
): FoundRows {
  const plan = planBuild(file, { kind: 'csv', inputFormat: 'ipv4', buildEpoch: 1, ...options });
  const violations = new ViolationList(plan.file);
  const rows: number[][] = [];
  const records: number[] = [];
  const add = (range: Uint32Array, payload: number, line: number): void => {
    rows.push([line, ...range.subarray(0, 2 * reader.width)]);
    records.push(recordOf(payload));
  };
  const reader = Object.assign(new RowReader(plan, { add }, violations), { width: plan.format.width });
  const values = jest.spyOn(RowValues.prototype, 'read');
  for (const piece of pieces) reader.push(Buffer.from(piece));
  reader.end();
  const valuesRead = values.mock.calls.length;
  values.mockRestore();
  return {
    rows,
    records,
    violations: violations.listed.map((f) => new LookupInputError([f]).message),
    valuesRead,
  };
}

/** The error that invalidates the whole file. */
export function refusalOf(pieces: readonly (string | Uint8Array)[], options?: Options): string {
  try {
    readRows(pieces, options);
  } catch (error) {
    if (error instanceof LookupInputError) return error.message;
    throw error;
  }
  throw new Error('it was accepted');
}

/** The parsed values of the rows. */
export function valuesOf(
  pieces: readonly (string | Uint8Array)[],
  { file = 'input.csv', ...options }: Options = {},
): RowValues {
  const plan = planBuild(file, { kind: 'csv', inputFormat: 'ipv4', buildEpoch: 1, ...options });
  const reader = new RowReader(plan, { add: () => undefined }, new ViolationList(plan.file));
  for (const piece of pieces) reader.push(Buffer.from(piece));
  return reader.end();
}
