import { stat } from 'node:fs/promises';
import { LookupGuardError } from '../guard/guard.errors.js';
import type { GuardOptions, GuardOutcome } from '../guard/guard-options.js';
import { LookupFormatError } from '../mmdb/mmdb.errors.js';
import { freeLeftovers } from './collect-garbage.js';
import { errorCode, InputFileError } from './file.errors.js';
import { readLookupBytes } from './read-lookup-file.js';

/** A new lookup's guards. */
export interface GuardRequest {
  /** The lookup's name, for messages. */
  readonly lookup: string;
  readonly guards?: GuardOptions | undefined;
  /** Who replaces the former lookup even if guards fail. */
  readonly forcedBy?: string | undefined;
}

/** What the guards found, and who overrode them. */
export interface GuardResult {
  readonly guards: readonly GuardOutcome[];
  readonly forcedBy?: string;
}

/**
 * Checks a new lookup file before it replaces the former one.
 *
 * @param file the new lookup file, under its temporary name
 * @param target the file that it will replace
 * @throws {LookupGuardError} if it fails a guard, unless it is forced
 */
export async function guardSwap(
  file: string,
  target: string,
  { lookup, guards, forcedBy }: GuardRequest,
): Promise<GuardResult> {
  if (guards === undefined) return { guards: [] };
  // What the file was built from.
  freeLeftovers();
  const former = await previousLookupFile(target);
  const outcomes = await compare(await readLookupBytes(file), former, guards);
  const failed = outcomes.filter(({ passed }) => !passed);
  if (failed.length === 0) return { guards: outcomes };
  if (forcedBy === undefined) throw new LookupGuardError(lookup, failed, former !== undefined);
  return { guards: outcomes, forcedBy };
}

async function compare(
  bytes: Uint8Array,
  former: string | undefined,
  guards: GuardOptions,
): Promise<GuardOutcome[]> {
  // Loaded lazily: most builds have no guards.
  const { checkGuards } = await import('../guard/check-guards.js');
  const { openPagedLookup } = await import('./open-paged-lookup.js');
  if (former === undefined) return checkGuards(bytes, { kind: 'none' }, guards);
  try {
    const { lookup, close } = await openPagedLookup(former, (guards.maxChanged ?? []).length > 0);
    try {
      return checkGuards(bytes, { kind: 'lookup', lookup }, guards);
    } finally {
      await close();
    }
  } catch (error) {
    if (!(error instanceof InputFileError || error instanceof LookupFormatError)) throw error;
    return checkGuards(bytes, { kind: 'unreadable', reason: error.message }, guards);
  }
}

/**
 * The lookup that readers get, if any: the newer of the plain and the gzipped file.
 *
 * @param target path of either
 */
export async function previousLookupFile(target: string): Promise<string | undefined> {
  const plain = target.replace(/\.gz$/, '');
  const times = await Promise.all([plain, `${plain}.gz`].map(modifiedAt));
  if (Math.max(...times) === -Infinity) return undefined;
  return times[1]! > times[0]! ? `${plain}.gz` : plain;
}

/** Milliseconds since 1970, or -Infinity if there is no such file. */
async function modifiedAt(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    // Counts as existing: reading it will report the error.
    (error: unknown) => (errorCode(error) === 'ENOENT' ? -Infinity : 0),
  );
}
