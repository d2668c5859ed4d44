import { send } from '../api/request.js';
import { saveFile } from './save-file.js';

/** The formats of an export, by what is asked for them. */
export const FORMATS = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;

export type ExportFormat = keyof typeof FORMATS;

/**
 * Saves an export as a file. A link cannot do it: the token goes into a header.
 *
 * @param query which Clients: a query of `GET /clients/export` with its question mark, or nothing for all
 * @throws {ApiError}
 */
export async function downloadClients(query: string, format: ExportFormat): Promise<void> {
  const response = await send({ path: `/clients/export${query}`, headers: { accept: FORMATS[format] } });
  saveFile(await response.blob(), `clients.${format}`);
}
