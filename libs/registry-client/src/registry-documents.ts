import type { Schema } from '@svc/registry-contract';
import { isJsonObject } from '@svc/foundation';

/** A Client as returned by the registry; one of another version may have other members. */
export type ClientDocument = Pick<Schema<'Client'>, 'client_id'> & Readonly<Record<string, unknown>>;

/** A Client with its ETag, for conditional changes. */
export interface VersionedClient {
  readonly client: ClientDocument;
  readonly etag: string;
}

/** A Client with its new secret, which is returned only once. */
export type ClientWithSecret = ClientDocument & Required<Pick<Schema<'RegisteredClient'>, 'client_secret'>>;

/** A page of Clients, and the cursor of the next one. */
export type ClientPage = Pick<Schema<'ClientList'>, 'next'> & { readonly clients: readonly ClientDocument[] };

/** Why an authorization request is refused. */
export type Explanation = Schema<'Explanation'>;

/** A change that the registry recommends; one of another version may have other members. */
export type RecommendationDocument = Pick<Schema<'RecommendationDocument'>, 'client_id' | 'kind' | 'reason'> &
  Readonly<Record<string, unknown>>;

/** A page of recommendations, and the cursor of the next one. */
export type RecommendationPage = Pick<
  Schema<'RecommendationList'>,
  'examined' | 'unproven' | 'incomplete_days' | 'next'
> & { readonly recommendations: readonly RecommendationDocument[] };

/** The result of an import for one Client. */
export type ImportedClient = Schema<'ImportedClientDocument'>;

/** The result of an import or of a dry run. */
export type ImportReport = Pick<Schema<'ImportAnswer'>, 'unchanged' | 'clients'>;

export function isClientDocument(value: unknown): value is ClientDocument {
  return isJsonObject(value) && typeof value['client_id'] === 'string';
}

export function isClientWithSecret(value: unknown): value is ClientWithSecret {
  return isClientDocument(value) && typeof value['client_secret'] === 'string';
}

export function isClientPage(value: unknown): value is ClientPage {
  return isJsonObject(value) && isListOf(value['clients'], isClientDocument) && isTextOrAbsent(value['next']);
}

export function isRecommendationPage(value: unknown): value is RecommendationPage {
  return (
    isJsonObject(value) &&
    isListOf(value['recommendations'], isRecommendation) &&
    ['examined', 'unproven'].every((name) => typeof value[name] === 'number') &&
    isListOf(value['incomplete_days'], (day) => typeof day === 'string') &&
    isTextOrAbsent(value['next'])
  );
}

function isRecommendation(value: unknown): boolean {
  return isClientDocument(value) && typeof value['kind'] === 'string' && typeof value['reason'] === 'string';
}

export function isImportReport(value: unknown): value is ImportReport {
  return (
    isJsonObject(value) &&
    typeof value['unchanged'] === 'number' &&
    isListOf(value['clients'], (client) => isClientDocument(client) && Array.isArray(client['changes']))
  );
}

export function isExplanation(value: unknown): value is Explanation {
  return (
    isClientDocument(value) &&
    typeof value['valid'] === 'boolean' &&
    Array.isArray(value['errors']) &&
    Array.isArray(value['notes'])
  );
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}
