import { send } from '../api/request.js';
import { saveFile } from '../elements/save-file.js';

/** The formats of an export, by what is asked for them. */
export const FORMATS = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;

export type ExportFormat = keyof typeof FORMATS;

/** The first line of a CSV file: the names of its columns, none of which has a line break. */
const CSV_HEADER = /^[^\n]*\n/;

/**
 * Saves an export as a file. A link cannot do it: the token goes into a header.
 *
 * @param queries which Clients: queries of `GET /clients/export` with their question marks, one empty for all Clients;
 * the answers to several become one file
 * @throws {ApiError} when one of them fails; then nothing is saved
 */
export async function downloadClients(queries: readonly string[], format: ExportFormat): Promise<void> {
  const parts: (Blob | string)[] = [];
  for (const query of queries) {
    const response = await send({ path: `/clients/export${query}`, headers: { accept: FORMATS[format] } });
    const isFirst = parts.length === 0;
    parts.push(
      format === 'csv' && !isFirst ? (await response.text()).replace(CSV_HEADER, '') : await response.blob(),
    );
  }
  saveFile(new Blob(parts, { type: FORMATS[format] }), `clients.${format}`);
}
