import { drawInspection } from '../inspect/draw-inspection.js';
import { type Inspection, inspectLookup } from '../inspect/inspect-lookup.js';
import { withFileName, readLookupBytes } from './read-lookup-file.js';
import { writeFileAtomically } from './write-file-atomically.js';

/** What is asked about a lookup file. */
export interface InspectRequest {
  /** The column by which coverage is counted; the first one when absent. */
  readonly column?: string;
  /** Where the picture goes; none is drawn when absent. */
  readonly picture?: string;
  readonly signal?: AbortSignal;
}

/**
 * Counts what a lookup file holds, and draws it.
 *
 * @throws {InputFileError} when it cannot be read
 * @throws {LookupFormatError} that names the file, when it is damaged or not a lookup file
 * @throws {LookupOptionError} when no record has the column
 * @throws {OutputFileError} when the picture cannot be written
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
    await writeFileAtomically(picture, content(), { gzip: false, makeFolder: false, signal });
  }
  return inspection;
}
