import { drawInspection } from '../inspect/draw-inspection.js';
import { type Inspection, inspectLookup } from '../inspect/inspect-lookup.js';
import { withFileName, readLookupBytes } from './read-lookup-file.js';
import { writeOutput } from './write-output.js';

/** A request to inspect a lookup file. */
export interface InspectRequest {
  /** The column by which coverage is counted. Default: the first one. */
  readonly column?: string;
  /** Path of the picture, if one is wanted. */
  readonly picture?: string;
  readonly signal?: AbortSignal;
}

/**
 * Summarizes a lookup file, and optionally draws it.
 *
 * @throws {InputFileError} if it cannot be read
 * @throws {LookupFormatError} naming the file, if it is damaged or not a lookup file
 * @throws {LookupOptionError} if no record has the column
 * @throws {OutputFileError} if the picture cannot be written
 */
export async function inspectLookupFile(
  path: string,
  { column, picture, signal }: InspectRequest = {},
): Promise<Inspection> {
  const bytes = await readLookupBytes(path);
  const inspection = withFileName(path, () => inspectLookup(bytes, column));
  if (picture !== undefined) {
    const content = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from(drawInspection(inspection));
    };
    await writeOutput(picture, content(), { gzip: false, signal });
  }
  return inspection;
}
