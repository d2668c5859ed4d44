import type { Violation } from '@svc/foundation';
import type { Capabilities } from '../fields/capabilities.js';
import { usesSecret } from '../fields/authentication-methods.js';
import { metadataNames } from '../fields/localized-fields.js';
import { IMPORTED_SECRET_FIELDS } from '../validation/carried-fields.js';
import { validateImport } from '../validation/validate-request.js';
import { type MappedField, mapFields } from './map-fields.js';
import type { DroppedField, LocatedClient, ProductMapping, SourceClient } from './product-mapping.js';
import { type Product, PRODUCTS } from './products.js';

/** Larger exports must be split into several files. */
export const MAX_CONVERTED_CLIENTS = 20_000;

/** A violation of the declaration, and the product's fields that it comes from. */
export interface SourceViolation extends Violation {
  readonly from: readonly string[];
}

export interface ConvertedClient {
  /** JSON pointer into the export. */
  readonly pointer: string;
  readonly clientId?: string;
  readonly clientName?: string;
  /** `invalid`: the registry would reject it. `skipped`: not a Client to import. */
  readonly result: 'imported' | 'invalid' | 'skipped';
  /** True if the export has no id for it. */
  readonly newId: boolean;
  /** True if it authenticates with a secret, which will be a new one. */
  readonly newSecret: boolean;
  /** True if the declaration contains its secret, or a hash of it. */
  readonly bringsSecret: boolean;
  readonly mapped: readonly MappedField[];
  readonly dropped: readonly DroppedField[];
  readonly violations: readonly SourceViolation[];
  readonly warnings: readonly Violation[];
  /** Why it is skipped. */
  readonly reason?: string;
  /** For imported ones only. */
  readonly declaration?: Readonly<Record<string, unknown>>;
}

export interface Conversion {
  readonly clients: readonly ConvertedClient[];
  /** True if the export says that there are more Clients than it has. */
  readonly incomplete: boolean;
}

export interface ConversionOptions {
  /** What the registry supports. */
  readonly capabilities: Capabilities;
  /** Creates ids of Clients that have none. */
  readonly newId: () => string;
  /** Whether declarations contain the Clients' secrets. Default false. */
  readonly withSecrets?: boolean;
}

/** The document is not an export of the product, or has too many Clients. */
export class ExportFormatError extends Error {
  override readonly name = 'ExportFormatError';
}

/**
 * Converts the Clients of another product's export to declarations.
 *
 * @param document parsed from JSON, YAML or CSV
 * @throws {ExportFormatError}
 */
export function convertClients(product: Product, document: unknown, options: ConversionOptions): Conversion {
  const mapping: ProductMapping = PRODUCTS[product];
  const located = mapping.clientsIn(document);
  if (!located) throw new ExportFormatError(`not an export of ${mapping.title}: expected ${mapping.expects}`);
  if (located.length > MAX_CONVERTED_CLIENTS)
    throw new ExportFormatError(`it has more than ${MAX_CONVERTED_CLIENTS} clients; split it`);
  const places = new Map<string, string>();
  const clients = located.map((client) => withUniqueId(convertOne(client, mapping, options), places));
  return { clients, incomplete: mapping.missing?.(document) ?? false };
}

function convertOne(
  { pointer, value }: LocatedClient,
  mapping: ProductMapping,
  { capabilities, newId, withSecrets = false }: ConversionOptions,
): ConvertedClient {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return notAnObject(pointer, value, capabilities);
  const members: SourceClient = new Map(Object.entries(value));
  const source = mapping.flattened?.(members) ?? members;
  const { fields, mapped, dropped } = mapFields(source, mapping, { capabilities, withSecrets });
  const names = namesIn(fields);
  const none = {
    pointer,
    newId: false,
    newSecret: false,
    bringsSecret: false,
    mapped: [],
    dropped: [],
    violations: [],
    warnings: [],
  };
  const reason = mapping.skipped?.(source);
  if (reason !== undefined) return { ...none, ...names, result: 'skipped', reason };
  const hasId = fields.has('client_id');
  const declaration = inOrder(hasId ? fields : new Map([...fields, ['client_id', newId()]]));
  const carried = withSecrets ? IMPORTED_SECRET_FIELDS : [];
  const validation = validateImport(declaration, capabilities, { carried });
  const bringsSecret = IMPORTED_SECRET_FIELDS.some((name) => declaration[name] !== undefined);
  const report = {
    ...none,
    ...namesIn(new Map(Object.entries(declaration))),
    newId: !hasId,
    bringsSecret,
    newSecret: !bringsSecret && usesSecret(declaration['token_endpoint_auth_method']),
    mapped,
    dropped,
    warnings: validation.warnings,
  };
  if (validation.valid) return { ...report, result: 'imported', declaration };
  return {
    ...report,
    result: 'invalid',
    violations: validation.violations.map((one) => withSource(one, mapped)),
  };
}

function notAnObject(pointer: string, value: unknown, capabilities: Capabilities): ConvertedClient {
  const validation = validateImport(value, capabilities);
  const violations = validation.valid ? [] : validation.violations.map((one) => withSource(one, []));
  return {
    ...{ pointer, newId: false, newSecret: false, bringsSecret: false },
    ...{ mapped: [], dropped: [], violations, warnings: [] },
    result: 'invalid',
  };
}

/** Our fields in the table's order, then others, which the validation rejects. */
function inOrder(fields: ReadonlyMap<string, unknown>): Readonly<Record<string, unknown>> {
  const order = ['client_id', ...metadataNames(Object.fromEntries(fields)), 'enabled'];
  const known = order.flatMap((name) => (fields.has(name) ? [[name, fields.get(name)]] : []));
  const others = [...fields].filter(([name]) => !order.includes(name));
  return Object.fromEntries([...known, ...others]) as Record<string, unknown>;
}

function namesIn(fields: ReadonlyMap<string, unknown>): Pick<ConvertedClient, 'clientId' | 'clientName'> {
  const [id, name] = [fields.get('client_id'), fields.get('client_name')];
  return {
    ...(typeof id === 'string' && { clientId: id }),
    ...(typeof name === 'string' && { clientName: name }),
  };
}

function withSource(violation: Violation, mapped: readonly MappedField[]): SourceViolation {
  const [, name = ''] = violation.field.split('/');
  return { ...violation, from: mapped.find(({ field }) => field === name)?.from ?? [] };
}

/** The second of two Clients with one id is invalid. */
function withUniqueId(client: ConvertedClient, places: Map<string, string>): ConvertedClient {
  const { clientId, result, pointer } = client;
  if (clientId === undefined || result === 'skipped') return client;
  const first = places.get(clientId);
  if (first === undefined) {
    places.set(clientId, pointer);
    return client;
  }
  const { declaration: _, ...rest } = client;
  const message = `the client at ${first} has the same id`;
  const violation = { field: '/client_id', code: 'duplicate', message };
  return { ...rest, result: 'invalid', violations: [...rest.violations, withSource(violation, rest.mapped)] };
}
