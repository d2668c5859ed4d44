/** A Client as the registry tells of it. */
export interface ClientDocument {
  readonly client_id: string;
  readonly [member: string]: unknown;
}

/** A Client and the state it is in, for changes of just that state. */
export interface VersionedClient {
  readonly client: ClientDocument;
  readonly etag: string;
}

/** A Client in the one answer that holds its new secret. */
export interface ClientWithSecret extends ClientDocument {
  readonly client_secret: string;
}

export interface ClientPage {
  readonly clients: readonly ClientDocument[];
  /** The cursor of the next page; absent on the last one. */
  readonly next?: string;
}

/** What an import did to one Client. */
export interface ImportedClient {
  readonly client_id: string;
  /** Counted from 1; absent for a deletion. */
  readonly line?: number;
  readonly changes: readonly string[];
  /** Of a new Client, and never again. */
  readonly client_secret?: string;
}

/** What an import did, or would do. */
export interface ImportReport {
  readonly unchanged: number;
  /** Those that are changed. */
  readonly clients: readonly ImportedClient[];
}

export function isClientDocument(value: unknown): value is ClientDocument {
  return isObject(value) && typeof value['client_id'] === 'string';
}

export function isClientWithSecret(value: unknown): value is ClientWithSecret {
  return isClientDocument(value) && typeof value['client_secret'] === 'string';
}

export function isClientPage(value: unknown): value is ClientPage {
  return isObject(value) && isListOf(value['clients'], isClientDocument) && isTextOrAbsent(value['next']);
}

export function isImportReport(value: unknown): value is ImportReport {
  return (
    isObject(value) &&
    typeof value['unchanged'] === 'number' &&
    isListOf(value['clients'], (client) => isClientDocument(client) && Array.isArray(client['changes']))
  );
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}
