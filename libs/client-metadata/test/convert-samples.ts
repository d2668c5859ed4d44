import { readFileSync } from 'node:fs';
import { type ConvertedClient, convertClients } from '../src/conversion/convert-clients.js';
import type { Product } from '../src/conversion/products.js';
import { extendCapabilities } from '../src/fields/capabilities.js';

const SAMPLES = new URL('../../../tools/sample/clients/', import.meta.url);

/** A registry with all that the samples use but keys. */
export const WIDE = extendCapabilities({
  application_type: ['native'],
  grant_types: ['refresh_token', 'client_credentials'],
  token_endpoint_auth_method: ['client_secret_basic', 'client_secret_post'],
});

export const convert = (product: Product, document: unknown): readonly ConvertedClient[] =>
  convertClients(product, document, { capabilities: WIDE, newId: () => 'new-id' }).clients;

/** An export of tools/sample/clients. */
export const sample = (name: string): string => readFileSync(new URL(name, SAMPLES), 'utf8');

export const sampleJson = (name: string): unknown => JSON.parse(sample(name));

export const declarations = (clients: readonly ConvertedClient[]) =>
  clients.flatMap(({ declaration }) => (declaration ? [declaration] : []));

export const drops = (client: ConvertedClient | undefined) => client?.dropped.map(({ field }) => field);
