import { isJsonObject, isLoopbackHost } from '@svc/foundation';
import type { Body } from '@svc/registry-contract';
import {
  type ClientDocument,
  type ClientPage,
  type ClientWithSecret,
  type Explanation,
  type ImportReport,
  isClientDocument,
  isClientPage,
  isClientWithSecret,
  isExplanation,
  isImportReport,
  isRecommendationPage,
  type RecommendationPage,
  type VersionedClient,
} from './registry-documents.js';
import {
  exportQueries,
  get,
  importOf,
  type ImportFlags,
  type ListQuery,
  post,
  queryOf,
  type RecommendationQuery,
  redirectUrisOf,
} from './registry-requests.js';
import { notARegistry, toResponseError } from './to-response-error.js';
import { type RegistryResponse, type RegistryRequest, Transport } from './transport.js';

/** Enough for an export of several hundred thousand Clients. */
const MAX_EXPORT_BYTES = 384 * 1024 * 1024;

export interface RegistryOptions {
  readonly url: string;
  readonly token: string;
  /** PEM certificates of CAs to trust in addition to Node's defaults. */
  readonly ca?: string | undefined;
  /** Idle timeout in milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Sent with every request, such as `x-request-id` and `traceparent`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A client of the registry's HTTP API. Every failure is a {@link RegistryError}. */
export class RegistryClient {
  /** The registry's URL without credentials, for messages. */
  readonly place: string;
  /** True if the token would be sent unencrypted over the network. */
  readonly sendsInClear: boolean;
  private readonly url: URL;
  private readonly token: string;
  private readonly transport: Transport;

  /** @throws {RangeError} if the URL or token is malformed; the message never contains the token */
  constructor(options: RegistryOptions) {
    assertToken(options.token);
    this.url = parseRegistryUrl(options.url);
    this.place = this.url.href;
    this.sendsInClear = sendsInClear(this.url);
    this.token = options.token;
    this.transport = new Transport({ ...options, url: this.url });
  }

  close(): void {
    this.transport.close();
  }

  /** The registry's capabilities (`GET /client/features`). */
  async features(): Promise<unknown> {
    const request = get('client/features');
    return this.json(request, await this.request(request), isJsonObject);
  }

  /** Fetches one page. */
  async list(query: ListQuery): Promise<ClientPage> {
    const request = get(`client?${queryOf(query)}`);
    return this.json(request, await this.request(request), isClientPage);
  }

  /** Fetches one page of what can be tightened. */
  async recommendations(query: RecommendationQuery): Promise<RecommendationPage> {
    const path = `clients/recommendations?${queryOf({ ...query })}`;
    const request = { ...get(path), accept: 'application/json' };
    return this.json(request, await this.request(request), isRecommendationPage);
  }

  /** @throws {RegistryError} `not_found` */
  async get(clientId: string): Promise<VersionedClient> {
    const request = get(`client/${encodeURIComponent(clientId)}`);
    const response = await this.request(request, missing(clientId));
    const { etag } = response.headers;
    if (etag === undefined) throw notARegistry(request, response, this.url);
    return { client: this.json(request, response, isClientDocument), etag };
  }

  /** Exports all Clients, without secrets, ordered by id. */
  async exportAll(): Promise<ClientDocument[]> {
    return this.exported('clients/export');
  }

  /** Exports the given Clients; unknown ids are left out. */
  async exportSome(clientIds: readonly string[]): Promise<ClientDocument[]> {
    const found: ClientDocument[] = [];
    for (const query of exportQueries(clientIds))
      found.push(...(await this.exported(`clients/export?${query}`)));
    return found;
  }

  /**
   * Creates or replaces Clients from records, all or none.
   *
   * @param records one JSON document each
   * @throws {RegistryError} `interrupted`; `conflict` if more or fewer would be deleted than expected; `invalid`, with violations
   *   whose fields start with `/lines/<number>`, counted from 1
   */
  async import(records: readonly string[], flags: ImportFlags): Promise<ImportReport> {
    const request = importOf(records, flags);
    return this.json(request, await this.request(request), isImportReport);
  }

  /**
   * Deletes Clients, all or none, if none has changed since it was read.
   *
   * @throws {RegistryError} `changed`, `interrupted`
   */
  async delete(clients: readonly VersionedClient[]): Promise<void> {
    const body: Body<'/clients/bulk', 'POST'> = {
      operations: clients.map(({ client, etag }) => ({
        op: 'delete',
        client_id: client.client_id,
        if_match: etag,
      })),
    };
    await this.request(
      post('clients/bulk', body),
      'one of the clients is no longer there; nothing was deleted',
    );
  }

  /**
   * @param overlap how long the previous secret stays valid, such as `24h`; if absent, it is revoked at once
   * @throws {RegistryError} `interrupted`
   */
  async rotateSecret(clientId: string, overlap: string | undefined): Promise<ClientWithSecret> {
    const path = `client/${encodeURIComponent(clientId)}/reset_secret`;
    const body: Body<'/client/{client_id}/reset_secret', 'POST'> = overlap === undefined ? {} : { overlap };
    const request = post(path, body);
    return this.json(request, await this.request(request, missing(clientId)), isClientWithSecret);
  }

  /**
   * Adds a redirect URI; one that is there already gets a new end.
   *
   * @throws {RegistryError} `interrupted`
   */
  async addRedirectUri(
    clientId: string,
    added: Body<'/client/{client_id}/redirect_uris', 'POST'>,
  ): Promise<ClientDocument> {
    const request = post(redirectUrisOf(clientId), added);
    return this.json(request, await this.request(request, missing(clientId)), isClientDocument);
  }

  /** If it is not registered, nothing changes. @throws {RegistryError} `interrupted` */
  async removeRedirectUri(clientId: string, uri: string): Promise<ClientDocument> {
    const path = `${redirectUrisOf(clientId)}?${queryOf({ redirect_uri: uri })}`;
    const request: RegistryRequest = { ...get(path), method: 'DELETE', changes: true };
    return this.json(request, await this.request(request, missing(clientId)), isClientDocument);
  }

  /**
   * Why the registry refuses an authorization request.
   *
   * @param url its address; the values of parameters such as state may be left out
   */
  async explain(clientId: string, url: string): Promise<Explanation> {
    const body: Body<'/clients/explain', 'POST'> = { url };
    const request: RegistryRequest = { ...post('clients/explain', body), changes: false };
    return this.json(request, await this.request(request, missing(clientId)), isExplanation);
  }

  private async exported(path: string): Promise<ClientDocument[]> {
    const request = { ...get(path), accept: 'application/x-ndjson', maxBytes: MAX_EXPORT_BYTES };
    const response = await this.request(request);
    const lines = response.text.split('\n').filter((line) => line !== '');
    return lines.map((line) => this.json(request, { ...response, text: line }, isClientDocument));
  }

  /** @param missingMessage the message for a 404; if absent, a 404 means this is not a registry */
  private async request(request: RegistryRequest, missingMessage?: string): Promise<RegistryResponse> {
    const response = await this.transport.send(request);
    if (response.status >= 200 && response.status < 300) return response;
    const error = toResponseError(request, response, this.url, missingMessage);
    // Servers may echo the token.
    error.message = error.message.replaceAll(this.token, '********');
    throw error;
  }

  private json<T>(
    request: RegistryRequest,
    response: RegistryResponse,
    isExpected: (value: unknown) => value is T,
  ): T {
    try {
      const value: unknown = JSON.parse(response.text);
      if (isExpected(value)) return value;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    throw notARegistry(request, response, this.url);
  }
}

function missing(clientId: string): string {
  return `the registry has no client '${clientId}'`;
}

/** `b64token` (RFC 6750 section 2.1). */
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

/**
 * Parses the registry's base URL; a path prefix is kept.
 *
 * @throws {RangeError} if invalid; the message never contains the URL, since it may hold credentials by mistake
 */
function parseRegistryUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new RangeError('url must be an http or https address, such as https://registry.example.com');
  }
  if (url.username !== '' || url.password !== '') {
    throw new RangeError('url must not contain a user or password; the token goes into registry.token');
  }
  if (url.search !== '' || url.hash !== '') throw new RangeError('url must not contain a query or fragment');
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

/** @throws {RangeError} if the token is malformed; the message never contains it */
function assertToken(token: string): void {
  if (!TOKEN.test(token) || token.length > 16_384) {
    throw new RangeError(
      'token is not a valid bearer token: only letters, digits and - . _ ~ + / are allowed (RFC 6750)',
    );
  }
}

/** True for plain HTTP to another host. */
function sendsInClear(url: URL): boolean {
  return url.protocol === 'http:' && !isLoopbackHost(url.hostname);
}
