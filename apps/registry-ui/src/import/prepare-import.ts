import { readCapabilities } from '@svc/client-metadata';
import {
  type ConvertedClient,
  convertClients,
  declarationsIn,
  type ImportFormat,
  type Product,
} from '@svc/client-metadata/conversion';
import type { Features } from '../api/client-documents.js';
import { randomText } from '../api/random-text.js';
import type { ParsedFile } from './parse-import-file.js';

/** A client that is not imported. */
export interface LeftOut {
  readonly place: string;
  readonly name: string;
  readonly reasons: readonly string[];
  /** The registry would refuse it; otherwise it is not meant to be imported, such as a product's own. */
  readonly invalid: boolean;
}

/** A field of the file that the registry has no place for. */
export interface UnusedField {
  readonly field: string;
  readonly reason: string;
  readonly clients: number;
}

/** An import file converted to what the registry accepts. */
export interface PreparedImport {
  /** NDJSON. */
  readonly file: File;
  readonly clients: number;
  /** Where each line comes from: a line of CSV, or the number of a client. */
  readonly places: readonly string[];
  readonly leftOut: readonly LeftOut[];
  readonly unused: readonly UnusedField[];
  /** Clients without an id in the file. */
  readonly newIds: number;
  /** The file says that the product has more clients than it lists. */
  readonly incomplete: boolean;
  /** Clients of the file are missing, or have new ids. */
  readonly isPartial: boolean;
}

/** How the columns of CSV become fields, by position; `undefined`: not imported. */
export type ColumnFields = readonly (string | undefined)[];

/** @throws {Error} if the file is not in the format */
export function prepareImport(
  parsed: Exclude<ParsedFile, { readonly kind: 'ndjson' }>,
  format: ImportFormat,
  { features, columns }: { readonly features: Features; readonly columns: ColumnFields },
): PreparedImport {
  const document = parsed.kind === 'csv' ? rowsOf(parsed.table, format, columns) : parsed.document;
  const placeOf = (index: number) =>
    String(parsed.kind === 'csv' ? (parsed.table.records[index]?.line ?? '') : index + 1);
  return format === 'declarations'
    ? declared(declarationsIn(document), placeOf)
    : converted(format, document, { features, placeOf });
}

function rowsOf(
  { names, records }: Extract<ParsedFile, { readonly kind: 'csv' }>['table'],
  format: ImportFormat,
  columns: ColumnFields,
): Record<string, string>[] {
  const fields = format === 'csv' ? columns : names;
  return records.map(({ cells }) =>
    Object.fromEntries(
      cells.flatMap((cell, index) => {
        const field = fields[index];
        return field === undefined ? [] : [[field, cell]];
      }),
    ),
  );
}

type PlaceOf = (index: number) => string;

/** The registry itself validates declarations. */
function declared(values: readonly unknown[], placeOf: PlaceOf): PreparedImport {
  const isNew = (value: unknown) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !Object.hasOwn(value, 'client_id');
  const lines = values.map((value) =>
    isNew(value) ? { client_id: newClientId(), ...(value as object) } : value,
  );
  return {
    ...toFile(lines),
    places: values.map((_, index) => placeOf(index)),
    leftOut: [],
    unused: [],
    newIds: values.filter(isNew).length,
    incomplete: false,
    isPartial: values.some(isNew),
  };
}

function converted(
  product: Product,
  document: unknown,
  { features, placeOf }: { readonly features: Features; readonly placeOf: PlaceOf },
): PreparedImport {
  const capabilities = readCapabilities(features);
  const { clients, incomplete } = convertClients(product, document, { capabilities, newId: newClientId });
  const placed = clients.map((client, index) => ({ client, place: placeOf(index) }));
  const omitted = placed.flatMap(({ client, place }) => leftOut(client, place));
  const imported = placed.filter(({ client }) => client.declaration !== undefined);
  return {
    ...toFile(imported.map(({ client }) => client.declaration)),
    places: imported.map(({ place }) => place),
    leftOut: omitted,
    unused: unusedFields(imported.map(({ client }) => client)),
    newIds: imported.filter(({ client }) => client.newId).length,
    incomplete,
    isPartial: incomplete || omitted.length > 0 || imported.some(({ client }) => client.newId),
  };
}

function newClientId(): string {
  return randomText().slice(0, 22);
}

function toFile(lines: readonly unknown[]): Pick<PreparedImport, 'file' | 'clients'> {
  const content = lines.map((line) => `${JSON.stringify(line)}\n`);
  return { file: new File(content, 'clients.ndjson'), clients: lines.length };
}

function leftOut(client: ConvertedClient, place: string): LeftOut[] {
  const name = client.clientName ?? client.clientId ?? '';
  if (client.result === 'skipped') return [{ place, name, reasons: [client.reason ?? ''], invalid: false }];
  if (client.result === 'imported') return [];
  const reasons = client.violations.map(({ field, message }) => `${field.slice(1)}: ${message}`);
  return [{ place, name, reasons, invalid: true }];
}

function unusedFields(clients: readonly ConvertedClient[]): UnusedField[] {
  const counts = new Map<string, UnusedField>();
  for (const { field, reason } of clients.flatMap(({ dropped }) => dropped)) {
    const name = field.replace(/\/\d+$/, '');
    const key = `${name} ${reason}`;
    counts.set(key, { field: name, reason, clients: (counts.get(key)?.clients ?? 0) + 1 });
  }
  return [...counts.values()].sort((a, b) => b.clients - a.clients);
}
