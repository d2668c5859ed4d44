import type { IncomingMessage } from 'node:http';
import type { UsageBatch } from '@svc/client-metadata';
import { type ClientDocument, parseClientDocument, parseObject } from './client-document.js';
import type { RegistryResponse, RegistryHttp } from './registry-http.js';
import type { ReportOutcome } from './usage-reporter.js';
import { RegistryUnavailableError } from './registry-unavailable.error.js';

/** The result of reading a Client. */
export type ReadResult =
  | {
      readonly kind: 'client';
      readonly client: ClientDocument;
      readonly etag: string | undefined;
      readonly bytes: number;
    }
  | { readonly kind: 'none' }
  /** It is still in the state that the ETag names. */
  | { readonly kind: 'unchanged' };

/** RFC 6749 appendix A.1 with the registry's length limit. */
const CLIENT_ID = /^[\x20-\x7e]{1,255}$/;

/** Reserved: as path segments they do not address a Client. */
const RESERVED_IDS: readonly string[] = ['features', '.', '..'];

/** The registry rejects longer values. */
const MAX_SECRET_LENGTH = 1_024;

/** The registry operations an authorization server needs. Every failure is a {@link RegistryUnavailableError}. */
export class RegistryApi {
  constructor(private readonly http: RegistryHttp) {}

  /**
   * @param etag of the cached Client, if any
   * @param leastChange the position of a change that the Client must reflect, if any
   */
  async readClient(clientId: string, etag: string | undefined, leastChange?: string): Promise<ReadResult> {
    if (!CLIENT_ID.test(clientId) || RESERVED_IDS.includes(clientId)) return { kind: 'none' };
    const response = await this.http.request({
      method: 'GET',
      path: pathOf(clientId),
      headers: {
        ...(etag !== undefined && { 'if-none-match': etag }),
        ...(leastChange !== undefined && { 'min-change-seq': leastChange }),
      },
    });
    if (response.status === 304 && etag !== undefined) return { kind: 'unchanged' };
    if (response.status === 404 && isProblem(response)) return { kind: 'none' };
    const client = response.status === 200 ? parseClientDocument(response.text, clientId) : undefined;
    if (!client) throw unexpected('GET /client/{client_id}', response);
    return { kind: 'client', client, etag: response.headers.etag, bytes: response.text.length };
  }

  /** Whether the secret is valid now, including a previous one still in its overlap period. Never cached. */
  async isSecret(clientId: string, secret: string): Promise<boolean> {
    if (secret.length > MAX_SECRET_LENGTH) return false;
    const body = JSON.stringify({ client_secret: secret });
    const response = await this.http.request({
      method: 'POST',
      path: `${pathOf(clientId)}/check/secret`,
      body,
    });
    const valid = response.status === 200 ? parseObject(response.text)?.['valid'] : undefined;
    if (typeof valid !== 'boolean') throw unexpected('POST /client/{client_id}/check/secret', response);
    return valid;
  }

  /** Reports how Clients are used. A registry without that, or that rejects a batch, will not count it later either. */
  async report(batch: UsageBatch): Promise<ReportOutcome> {
    const response = await this.http.request({
      method: 'POST',
      path: 'clients/usage',
      body: JSON.stringify(batch),
    });
    if (response.status === 200) return 'counted';
    if ([400, 404].includes(response.status) && isProblem(response)) return 'refused';
    throw unexpected('POST /clients/usage', response);
  }

  /** Opens the change feed (server-sent events). */
  async openChanges(): Promise<IncomingMessage> {
    const headers = { accept: 'text/event-stream' };
    const response = await this.http.open({ method: 'GET', path: 'clients/changes', headers });
    const type = response.headers['content-type'] ?? '';
    if (response.statusCode === 200 && /^text\/event-stream\b/.test(type)) return response;
    response.destroy();
    throw unexpected('GET /clients/changes', { status: response.statusCode ?? 0, headers: response.headers });
  }
}

function pathOf(clientId: string): string {
  return `client/${encodeURIComponent(clientId)}`;
}

function isProblem({ headers }: Pick<RegistryResponse, 'headers'>): boolean {
  return /^application\/problem\+json\b/.test(headers['content-type'] ?? '');
}

function unexpected(
  operation: string,
  response: Pick<RegistryResponse, 'status' | 'headers'>,
): RegistryUnavailableError {
  return new RegistryUnavailableError(`${operation} returned ${response.status}: ${reasonOf(response)}`);
}

function reasonOf({ status, headers }: Pick<RegistryResponse, 'status' | 'headers'>): string {
  const scope = /scope="([^"]*)"/.exec(headers['www-authenticate'] ?? '')?.[1];
  const forbidden =
    scope === undefined
      ? 'the registry or a proxy keeps this caller out; see ADMIN_ALLOWED_ZONES of the registry'
      : `the token lacks the scope ${scope}; use one that has it`;
  if (status === 401) return 'the token is unknown, expired or revoked; use a valid one';
  if (status === 403) return forbidden;
  if (status === 429) return 'too many requests; raise RATE_LIMIT_PER_TOKEN of the registry';
  if ([502, 503, 504].includes(status)) return 'the registry or its database is busy or unavailable';
  return 'not a registry, or an incompatible version; check url';
}
