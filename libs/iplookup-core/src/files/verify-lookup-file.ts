import type { BuildOptions } from '../build/build-options.js';
import { planBuild } from '../build/plan-build.js';
import type { BuildPlan } from '../build/build-plan.js';
import { RowCheck } from '../build/row-check.js';
import { openLookup } from '../mmdb/open-lookup.js';
import type { Comparison } from '../verify/compare-rows.js';
import { vendorDatabase } from '../vendor/vendor-file-name.js';
import { type Verification, verifyLookup } from '../verify/verify-lookup.js';
import { asRows } from './as-rows.js';
import { planVendorInput } from './known-input.js';
import type { InputFile } from './open-regular-file.js';
import { openInput } from './open-input.js';
import { readLookupBytes } from './read-lookup-file.js';

/** The input a lookup was built from, and the build's options. */
export interface VerifyAgainst extends Omit<BuildOptions, 'kind'> {
  readonly input: string;
  /** Default: `vendor` if the file, or the one in its archive, has a vendor file name, otherwise `csv`. */
  readonly kind?: BuildOptions['kind'];
}

/** The result of verifying a lookup file. */
export interface FileVerification extends Verification {
  readonly comparison: Comparison | undefined;
}

/**
 * Verifies a lookup file and, if it is valid, compares it with its input.
 *
 * @throws {InputFileError} if a file cannot be read
 * @throws {LookupInputError} if the input has invalid rows that are not to be skipped
 */
export async function verifyLookupFile(path: string, against?: VerifyAgainst): Promise<FileVerification> {
  const bytes = await readLookupBytes(path);
  const verification = verifyLookup(bytes);
  if (against === undefined || verification.problemCount > 0)
    return { ...verification, comparison: undefined };
  // Loaded lazily: only this command needs it, and loading it takes longer than everything else.
  const { compareRows } = await import('../verify/compare-rows.js');
  const { expectedRows } = await import('../verify/expected-rows.js');
  const lookup = openLookup(bytes);
  const opened = await planComparison(against, await openInput(against.input));
  const plan = { ...opened.plan, forceIpv4: lookup.metadata.ipVersion === 4 };
  const { input: rows, places } = asRows(opened.input, plan);
  const invalidLines = await invalidLinesOf(rows, places === undefined ? plan : { ...plan, places });
  const readRows = async () =>
    expectedRows(asRows(await openInput(against.input), plan).input.content, plan, invalidLines);
  const comparison = await compareRows(lookup, readRows, plan);
  return { ...verification, comparison: rejectEmptyComparison(comparison, verification.records) };
}

async function planComparison(
  against: VerifyAgainst,
  input: InputFile,
): Promise<{ readonly plan: BuildPlan; readonly input: InputFile }> {
  const isVendors = [against.input, input.entryName].some(
    (name) => name !== undefined && vendorDatabase(name) !== undefined,
  );
  const options = { ...against, kind: against.kind ?? (isVendors ? 'vendor' : 'csv') };
  if (options.kind === 'vendor') return planVendorInput(against.input, options, input);
  return { plan: planBuild(against.input, options, input.entryName), input };
}

/** @throws {LookupInputError} if the lookup cannot have been built from the file */
async function invalidLinesOf({ content }: InputFile, plan: BuildPlan): Promise<ReadonlySet<number>> {
  const check = new RowCheck(plan);
  for await (const chunk of content) check.push(chunk);
  check.end();
  return check.invalidLines;
}

/** A comparison without rows must not count as success. */
function rejectEmptyComparison(comparison: Comparison, records: number): Comparison {
  if (comparison.rows > 0 || records === 0) return comparison;
  const difference = `the lookup has ${records} records, but the input has no rows`;
  return { ...comparison, differences: [difference], differenceCount: 1 };
}
