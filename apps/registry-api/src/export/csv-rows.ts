import { CLIENT_FIELDS, type ClientDocument, codesOf } from '@svc/client-metadata';
import { writeToString } from 'fast-csv';

const COLUMNS: readonly string[] = [
  'client_id',
  'enabled',
  ...CLIENT_FIELDS.filter((field) => field.editable === 'always').map(({ name }) => name),
  'session_expiration_seconds',
  'cookie_name',
  'client_secret_hint',
  'created_at',
  'updated_at',
  'warnings',
];

/**
 * What spreadsheets take for the beginning of a formula, in a cell that somebody else may have written: OWASP, "CSV
 * injection"; some take the wide forms of East Asian fonts as well.
 */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/;

/** Marks the text as UTF-8 for spreadsheets. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** The names of the columns, as a line of CSV (RFC 4180). */
export async function csvHeader(): Promise<string> {
  return toCsv([[...COLUMNS]]);
}

/** One line for each Client. What could be a formula begins with an apostrophe, which spreadsheets do not show. */
export async function csvRows(clients: readonly ClientDocument[]): Promise<string> {
  return toCsv(clients.map((client) => COLUMNS.map((column) => toCell(client, column))));
}

async function toCsv(rows: string[][]): Promise<string> {
  if (rows.length === 0) return '';
  return writeToString(rows, { rowDelimiter: '\r\n', includeEndRowDelimiter: true });
}

/** A list has one entry per line. */
function toCell(client: ClientDocument, column: string): string {
  const value = column === 'warnings' ? codesOf(client.warnings) : client[column];
  const text = Array.isArray(value) ? value.join('\n') : value === undefined ? '' : String(value);
  return FORMULA.test(text) ? `'${text}` : text;
}
