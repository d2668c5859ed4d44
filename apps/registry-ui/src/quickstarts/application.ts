import { usesSecret } from '@svc/client-metadata';
import type { ClientDocument } from '../api/client-documents.js';

/** What a quickstart must know about a client. */
export type QuickstartClient = Pick<
  ClientDocument,
  | 'client_id'
  | 'redirect_uris'
  | 'grant_types'
  | 'token_endpoint_auth_method'
  | 'code_challenge_method'
  | 'cookie_entry_uri'
>;

/** A client and the authorization server that it signs users in at. */
export interface Application {
  readonly client: QuickstartClient;
  /** The issuer's URL. */
  readonly issuer: string;
}

/** Whether users sign in; otherwise the application gets tokens for itself. */
export function signsIn({ client }: Application): boolean {
  return (
    client.grant_types.includes('authorization_code') || !client.grant_types.includes('client_credentials')
  );
}

/** The client's code_challenge_method; `undefined` without PKCE. */
export function pkceMethod({ client }: Application): 'S256' | 'plain' | undefined {
  return client.code_challenge_method === 'none' ? undefined : client.code_challenge_method;
}

/** Whether the client signs its token requests with a private key, which no quickstart sets up. */
export function needsPrivateKey({ token_endpoint_auth_method: method }: QuickstartClient): boolean {
  return method !== 'none' && !usesSecret(method);
}

export function sendsSecret({ client }: Application): boolean {
  return usesSecret(client.token_endpoint_auth_method);
}

/** Libraries refuse plain HTTP unless it is allowed. */
export function isInsecure({ issuer }: Application): boolean {
  return issuer.startsWith('http:');
}

export function firstRedirectUri({
  client: {
    redirect_uris: [first = ''],
  },
}: Application): string {
  return first;
}

/** Quotes untrusted text; for printable ASCII, JSON strings are valid in JavaScript, Python, YAML and C#. */
export function quoted(value: string): string {
  return JSON.stringify(value);
}

/** Quotes untrusted text for a POSIX shell. */
export function shellWord(value: string): string {
  return `'${value.replaceAll("'", `'\\''`)}'`;
}

export function lines(...all: readonly (string | false)[]): string {
  return all.filter((line) => line !== false).join('\n');
}
