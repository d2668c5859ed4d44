import {
  type Capabilities,
  type ClientDocument,
  codesOf,
  fieldNamed,
  formatLabel,
  supportedFields,
} from '@svc/client-metadata';
import { protectCell } from '@svc/client-metadata/conversion';
import { writeToString } from 'fast-csv';

/** The columns of a Client, with the metadata that the registry supports. */
export function csvColumns(capabilities: Capabilities): readonly string[] {
  const fields = supportedFields(capabilities).filter(({ editable }) => editable === 'always');
  return ['client_id', 'enabled', ...fields.map(({ name }) => name), ...OF_RECORD];
}

const OF_RECORD = [
  'temporary_redirect_uris',
  'session_expiration_seconds',
  'cookie_name',
  'managed_by',
  'client_secret_hint',
  'created_at',
  'updated_at',
  'warnings',
];

/** Marks the text as UTF-8 for spreadsheets. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** The column names, as a line of CSV (RFC 4180). */
export async function csvHeader(columns: readonly string[]): Promise<string> {
  return toCsv([[...columns]]);
}

/**
 * One line per Client, from which `CSV` in the conversion of Clients reads the same values. Possible formulas, and numbers that are
 * text, are prefixed with an apostrophe.
 */
export async function csvRows(
  clients: readonly ClientDocument[],
  columns: readonly string[],
): Promise<string> {
  return toCsv(clients.map((client) => columns.map((column) => toCell(client, column))));
}

async function toCsv(rows: string[][]): Promise<string> {
  if (rows.length === 0) return '';
  return writeToString(rows, { rowDelimiter: '\r\n', includeEndRowDelimiter: true });
}

function toCell(client: ClientDocument, column: string): string {
  const value = column === 'warnings' ? codesOf(client.warnings) : client[column];
  const text = Array.isArray(value) ? listText(value) : toText(value, column);
  const isText = typeof value === 'string' && fieldNamed(column)?.type === 'number or string';
  return protectCell(text, isText);
}

/** A map has one entry per line, as `key:value`; another object is JSON. */
function toText(value: unknown, column: string): string {
  if (value === undefined) return '';
  if (typeof value !== 'object' || value === null) return String(value);
  if (fieldNamed(column)?.type === 'object') return JSON.stringify(value);
  return Object.entries(value)
    .map(([key, item]) => formatLabel(key, String(item)))
    .join('\n');
}

/** A list has one entry per line, or is JSON if lines would be read differently; an entry that is an object is JSON. */
function listText(entries: readonly unknown[]): string {
  const lines = entries.map((entry) => (typeof entry === 'object' ? JSON.stringify(entry) : String(entry)));
  const isPlain = lines.every((line) => line !== '' && !/[\r\n]/.test(line)) && !lines[0]?.startsWith('[');
  return isPlain ? lines.join('\n') : JSON.stringify(entries);
}
