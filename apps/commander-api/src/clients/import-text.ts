import type { ConvertedClient } from '@svc/client-metadata/conversion';
import { escapeLine } from '@svc/foundation';
import { counted } from '../command-line/text.js';
import { textTable } from '../command-line/text-table.js';

const RESULTS = { imported: 'imported', invalid: 'invalid', skipped: 'skipped' } as const;

/** One row per Client, then what becomes of the fields of each. */
export function importTable(file: string, clients: readonly ConvertedClient[]): string {
  const header = ['CLIENT_ID', 'CLIENT_NAME', 'RESULT', 'NEW ID', 'SECRET', 'MAPPED', 'DROPPED'];
  const table = textTable([header, ...clients.map(rowOf)]);
  return [
    table,
    '',
    ...clients.flatMap((client) => [...lossLines(file, client), ...mappedLines(file, client)]),
  ].join('\n');
}

function rowOf({
  clientId,
  clientName,
  result,
  newId,
  newSecret,
  bringsSecret,
  mapped,
  dropped,
}: ConvertedClient): string[] {
  return [
    clientId ?? '',
    clientName ?? '',
    RESULTS[result],
    newId ? 'yes' : '',
    newSecret ? 'not imported' : bringsSecret ? 'imported' : '',
    String(mapped.length),
    String(dropped.length),
  ];
}

/** What a Client loses, and why it is not imported: one line each, with its file and Client. */
export function lossLines(file: string, client: ConvertedClient): string[] {
  const { reason, dropped, violations, warnings, newId, newSecret, result } = client;
  const isImported = result === 'imported';
  const lines = [
    ...(reason === undefined ? [] : [`skipped: ${reason}`]),
    ...violations.map(({ field, from, message }) => `invalid: ${placeText(field, from)}${message}`),
    ...dropped.map(({ field, reason: why }) => `dropped: ${field === '' ? '' : `${field}: `}${why}`),
    ...warnings.map(({ field, message }) => `warning: ${placeText(field, [])}${message}`),
    ...(newId && isImported ? ['new id: the export has none'] : []),
    ...(newSecret && isImported ? ['secret not imported: a client new to the registry gets a new one'] : []),
  ];
  return lines.map((line) => lineOf(file, client, line));
}

function mappedLines(file: string, client: ConvertedClient): string[] {
  return client.mapped.map(({ field, from }) =>
    lineOf(file, client, `mapped: ${field}${from.length === 0 ? '' : ` (from ${from.join(', ')})`}`),
  );
}

function lineOf(file: string, { clientId, pointer }: ConvertedClient, text: string): string {
  return escapeLine(`${file}: ${clientId ?? (pointer === '' ? '/' : pointer)}: ${text}`);
}

function placeText(field: string, from: readonly string[]): string {
  if (field === '') return '';
  return `${field}${from.length === 0 ? '' : ` (from ${from.join(', ')})`}: `;
}

/** `2 of 5 Clients imported, 1 invalid, 2 skipped`. */
export function importSummary(clients: readonly ConvertedClient[]): string {
  const countOf = (result: ConvertedClient['result']) =>
    clients.filter((client) => client.result === result).length;
  return [
    `${countOf('imported')} of ${counted(clients.length, 'client')} imported`,
    `${countOf('invalid')} invalid`,
    `${countOf('skipped')} skipped`,
  ].join(', ');
}
