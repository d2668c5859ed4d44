import type { IncomingMessage } from 'node:http';
import { type ClientDocument, parseClientDocument, parseObject } from './client-document.js';
import type { Answered, RegistryHttp } from './registry-http.js';
import { RegistryUnavailableError } from './registry-unavailable.error.js';

/** How a Client was found. */
export type Found =
  | {
      readonly kind: 'client';
      readonly client: ClientDocument;
      readonly etag: string | undefined;
      readonly bytes: number;
    }
  | { readonly kind: 'none' }
  /** It is still in the state that the ETag names. */
  | { readonly kind: 'unchanged' };

/** RFC 6749 appendix A.1 and the registry's limit: nothing else is a client_id. */
const CLIENT_ID = /^[\x20-\x7e]{1,255}$/;

/** In a path they mean something else, so the registry gives them to no Client. */
const NO_CLIENT_IDS: readonly string[] = ['features', '.', '..'];

/** Longer than any secret; the registry refuses to compare more. */
const MAX_SECRET_LENGTH = 1_024;

/** What an authorization server asks a registry for. Whatever goes wrong is a {@link RegistryUnavailableError}. */
export class RegistryApi {
  constructor(private readonly http: RegistryHttp) {}

  /** @param etag the state that is at hand, if any */
  async readClient(clientId: string, etag: string | undefined): Promise<Found> {
    if (!CLIENT_ID.test(clientId) || NO_CLIENT_IDS.includes(clientId)) return { kind: 'none' };
    const answered = await this.http.ask({
      method: 'GET',
      path: pathOf(clientId),
      ...(etag !== undefined && { headers: { 'if-none-match': etag } }),
    });
    if (answered.status === 304 && etag !== undefined) return { kind: 'unchanged' };
    if (answered.status === 404 && isProblem(answered)) return { kind: 'none' };
    const client = answered.status === 200 ? parseClientDocument(answered.text, clientId) : undefined;
    if (!client) throw unexpected('GET /client/{client_id}', answered);
    return { kind: 'client', client, etag: answered.headers.etag, bytes: answered.text.length };
  }

  /** Whether the secret is valid now; of two that overlap after a rotation each is. Asked anew every time. */
  async isSecret(clientId: string, secret: string): Promise<boolean> {
    if (secret.length > MAX_SECRET_LENGTH) return false;
    const body = JSON.stringify({ client_secret: secret });
    const answered = await this.http.ask({ method: 'POST', path: `${pathOf(clientId)}/check/secret`, body });
    const valid = answered.status === 200 ? parseObject(answered.text)?.['valid'] : undefined;
    if (typeof valid !== 'boolean') throw unexpected('POST /client/{client_id}/check/secret', answered);
    return valid;
  }

  /** The changes from now on, as server-sent events. */
  async openChanges(): Promise<IncomingMessage> {
    const headers = { accept: 'text/event-stream' };
    const response = await this.http.open({ method: 'GET', path: 'clients/changes', headers });
    const type = response.headers['content-type'] ?? '';
    if (response.statusCode === 200 && /^text\/event-stream\b/.test(type)) return response;
    response.destroy();
    const { statusCode: status = 0, headers: answered } = response;
    throw unexpected('GET /clients/changes', { status, headers: answered });
  }
}

function pathOf(clientId: string): string {
  return `client/${encodeURIComponent(clientId)}`;
}

function isProblem({ headers }: Pick<Answered, 'headers'>): boolean {
  return /^application\/problem\+json\b/.test(headers['content-type'] ?? '');
}

function unexpected(asked: string, answered: Pick<Answered, 'status' | 'headers'>): RegistryUnavailableError {
  return new RegistryUnavailableError(`${asked} answers ${answered.status}: ${reasonOf(answered)}`);
}

function reasonOf({ status, headers }: Pick<Answered, 'status' | 'headers'>): string {
  const scope = /scope="([^"]*)"/.exec(headers['www-authenticate'] ?? '')?.[1];
  if (status === 401) return 'the token is unknown, expired or revoked; give a valid one';
  if (status === 403) return `the token lacks the scope ${scope ?? 'that is needed'}; give one that has it`;
  if (status === 429) return 'too many requests; raise RATE_LIMIT_PER_TOKEN of the registry';
  if (status === 503) return 'the registry or its database is busy or away';
  return 'that is no registry, or one of another version; is url right?';
}
