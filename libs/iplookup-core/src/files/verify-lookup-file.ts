import { type BuildOptions, planBuild } from '../build/plan-build.js';
import { openLookup } from '../mmdb/open-lookup.js';
import type { Comparison } from '../verify/compare-rows.js';
import { type Verification, verifyLookup } from '../verify/verify-lookup.js';
import { openInput } from './open-input.js';
import { readLookupBytes } from './read-lookup-file.js';

/** The input that a lookup was made of, and how. */
export interface VerifyAgainst extends BuildOptions {
  readonly input: string;
}

/** What a check of a lookup file found. */
export interface FileVerification extends Verification {
  readonly comparison: Comparison | undefined;
}

/**
 * Checks a lookup file, and, if it is sound, compares it with its input.
 *
 * @throws {InputFileError} when a file cannot be read
 */
export async function verifyLookupFile(path: string, against?: VerifyAgainst): Promise<FileVerification> {
  const bytes = await readLookupBytes(path);
  const verification = verifyLookup(bytes);
  if (against === undefined || verification.problemCount > 0)
    return { ...verification, comparison: undefined };
  // What only this command needs takes longer to load than all else.
  const { compareRows } = await import('../verify/compare-rows.js');
  const { expectedRows } = await import('../verify/expected-rows.js');
  const first = await openInput(against.input);
  const lookup = openLookup(bytes);
  const planned = planBuild(against.input, against, first.entryName);
  const plan = { ...planned, forceIpv4: lookup.metadata.ipVersion === 4 };
  let times = 0;
  const readRows = async () =>
    expectedRows((times++ === 0 ? first : await openInput(against.input)).content, plan);
  return { ...verification, comparison: await compareRows(lookup, readRows, plan) };
}
