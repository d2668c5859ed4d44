import { isJsonObject } from '@svc/foundation';
import { metadataNames } from '../fields/localized-fields.js';
import { SERVER_FIELDS } from '../fields/server-fields.js';
import { type ProductMapping } from './product-mapping.js';
import { type Product, PRODUCTS } from './products.js';

/** A product's export, or declarations with our own field names. */
export type ImportFormat = Product | 'declarations';

/** The number of Clients sampled. */
const SAMPLE = 5;

/** Fewer known fields than this share are a coincidence. */
const LEAST_SHARE = 0.5;

/** CSV is recognised by its syntax. */
const PRODUCTS_BY_FIELDS = Object.keys(PRODUCTS).filter((name) => name !== 'csv') as Product[];

/**
 * The format that most fields of a parsed document are known to; undefined if no format knows at least half of them.
 * Declarations win a tie: products that use standard field names differ from them in nothing else.
 */
export function guessFormat(document: unknown): ImportFormat | undefined {
  const shares = [
    { format: 'declarations' as const, share: shareOfOurs(document) },
    ...PRODUCTS_BY_FIELDS.map((format) => ({ format, share: shareOf(PRODUCTS[format], document) })),
  ];
  const best = shares.reduce((most, each) => (each.share > most.share ? each : most));
  return best.share >= LEAST_SHARE ? best.format : undefined;
}

/** The Clients of declarations: one or a list. */
export function declarationsIn(document: unknown): readonly unknown[] {
  return Array.isArray(document) ? document : [document];
}

function shareOfOurs(document: unknown): number {
  const own = new Set(['client_id', 'enabled', 'client_secret', ...SERVER_FIELDS.map(({ name }) => name)]);
  const clients = declarationsIn(document).slice(0, SAMPLE).filter(isJsonObject);
  const names = clients.flatMap((client) => {
    const metadata = new Set(metadataNames(client));
    return Object.keys(client).map((name) => own.has(name) || metadata.has(name));
  });
  return share(names);
}

function shareOf(mapping: ProductMapping, document: unknown): number {
  const clients = mapping.clientsIn(document)?.slice(0, SAMPLE) ?? [];
  const names = clients.flatMap(({ value }) => {
    if (!isJsonObject(value)) return [false];
    const members = new Map(Object.entries(value));
    const known = (name: string) =>
      Object.hasOwn(mapping.fields, name) || mapping.otherFields?.(name, members) !== undefined;
    return [...(mapping.flattened?.(members) ?? members).keys()].map(known);
  });
  return share(names);
}

function share(known: readonly boolean[]): number {
  return known.length === 0 ? 0 : known.filter(Boolean).length / known.length;
}
