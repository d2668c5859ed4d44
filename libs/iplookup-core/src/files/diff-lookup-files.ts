import { diffLookups, type LookupDiff } from '../diff/diff-lookups.js';
import { ParsedLookup } from '../mmdb/parsed-lookup.js';
import { withFileName, readLookupBytes } from './read-lookup-file.js';

/**
 * Compares two lookup files.
 *
 * @param limit maximum number of differences to list
 * @throws {InputFileError} if one cannot be read
 * @throws {LookupFormatError} naming the file, if one is damaged or not a lookup file
 */
export async function diffLookupFiles(before: string, after: string, limit: number): Promise<LookupDiff> {
  const [former, latter] = [await readLookupBytes(before), await readLookupBytes(after)];
  const lookups = [
    withFileName(before, () => new ParsedLookup(former)),
    withFileName(after, () => new ParsedLookup(latter)),
  ] as const;
  return withFileName(`${before} or ${after}`, () => diffLookups(...lookups, limit));
}
