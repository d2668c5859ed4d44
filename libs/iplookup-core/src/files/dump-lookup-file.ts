import { Readable } from 'node:stream';
import { dumpColumns } from '../dump/dump-columns.js';
import { dumpRows } from '../dump/dump-rows.js';
import type { DumpForm } from '../dump/record-ranges.js';
import { ParsedLookup } from '../mmdb/parsed-lookup.js';
import { recordOffsets } from '../networks/record-offsets.js';
import { withFileName, readLookupBytes } from './read-lookup-file.js';
import { writeOutput } from './write-output.js';

/** A request to convert a lookup to CSV. */
export interface DumpRequest {
  readonly form?: DumpForm;
  readonly signal?: AbortSignal;
}

/** The result of a dump. */
export interface DumpSummary {
  readonly rows: number;
  readonly columns: readonly string[];
}

/**
 * Converts a lookup file back to CSV (RFC 4180, with LF), row by row. `from-csv` with the input format `auto` or
 * `cidr` rebuilds an equivalent lookup.
 *
 * @param write receives the chunks in order
 * @throws {InputFileError} if the file cannot be read
 * @throws {LookupFormatError} naming the file, if it is damaged or not a lookup file
 */
export async function dumpLookupFile(
  path: string,
  write: (content: AsyncIterable<Uint8Array>) => Promise<unknown>,
  { form = 'range' }: Pick<DumpRequest, 'form'> = {},
): Promise<DumpSummary> {
  const lookup = await openParsed(path);
  const columns = withFileName(path, () => dumpColumns(lookup, recordOffsets(lookup), form));
  let rows = -1;
  const counted = function* (): Generator<readonly string[]> {
    for (const row of dumpRows(lookup, columns, form)) {
      rows++;
      yield row;
    }
  };
  const { format } = await import('fast-csv');
  const csv = format<readonly string[], readonly string[]>({ includeEndRowDelimiter: true });
  const source = Readable.from(counted());
  source.on('error', (error) => csv.destroy(error));
  await write(source.pipe(csv) as AsyncIterable<Uint8Array>);
  return { rows, columns };
}

/** Like {@link dumpLookupFile}, to a file or pipe. @throws {OutputFileError} */
export function dumpLookupToFile(
  path: string,
  target: string,
  { form, signal }: DumpRequest = {},
): Promise<DumpSummary> {
  const write = (content: AsyncIterable<Uint8Array>) =>
    writeOutput(target, content, { gzip: target.endsWith('.gz'), signal });
  return dumpLookupFile(path, write, form === undefined ? {} : { form });
}

async function openParsed(path: string): Promise<ParsedLookup> {
  const bytes = await readLookupBytes(path);
  return withFileName(path, () => new ParsedLookup(bytes));
}
