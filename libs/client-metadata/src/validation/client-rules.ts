import type { ClientMetadata } from '../fields/client-metadata.js';
import { pointerTo, type Violation } from '@svc/foundation';
import { quote } from '../violations/violation.js';
import { splitUri } from '../uri/split-uri.js';
import { type ClientRule, KEY_RULES } from './key-rules.js';

/** The rules that involve several fields. */
export const CLIENT_RULES: readonly ClientRule[] = [
  {
    code: 'response_type_without_grant',
    reads: ['response_types', 'grant_types'],
    violations: responseTypesNeedGrants,
  },
  {
    code: 'grant_without_response_type',
    reads: ['response_types', 'grant_types'],
    violations: grantsNeedResponseTypes,
  },
  {
    code: 'client_credentials_without_authentication',
    reads: ['grant_types', 'token_endpoint_auth_method'],
    violations: clientCredentialsNeedAuthentication,
  },
  {
    code: 'implicit_needs_https',
    reads: ['application_type', 'grant_types', 'redirect_uris'],
    violations: implicitWebClientsNeedHttps,
  },
  {
    code: 'too_few',
    reads: ['grant_types', 'redirect_uris'],
    violations: redirectingGrantsNeedUris,
  },
  ...KEY_RULES,
];

/** The grant types that redirect users to the Client (RFC 6749 section 3.1.2). */
export const REDIRECTING_GRANTS: readonly string[] = ['authorization_code', 'implicit'];

/** The grant type required by each word of a response type (OpenID Connect Registration section 2, RFC 7591 2.1). */
const GRANT_OF_WORD: ReadonlyMap<string, string> = new Map([
  ['code', 'authorization_code'],
  ['token', 'implicit'],
  ['id_token', 'implicit'],
]);

function grantsOf(responseType: string): Set<string> {
  return new Set(responseType.split(' ').flatMap((word) => GRANT_OF_WORD.get(word) ?? []));
}

function responseTypesNeedGrants({ response_types, grant_types }: ClientMetadata): Omit<Violation, 'code'>[] {
  return response_types.flatMap((type, index) => {
    const missing = [...grantsOf(type)].filter((grant) => !grant_types.includes(grant));
    if (missing.length === 0) return [];
    const message = `response type ${quote(type)} needs ${missing.join(' and ')} in grant_types (RFC 7591 section 2.1)`;
    return [{ field: pointerTo('response_types', index), message }];
  });
}

function grantsNeedResponseTypes({ response_types, grant_types }: ClientMetadata): Omit<Violation, 'code'>[] {
  const served = new Set(response_types.flatMap((type) => [...grantsOf(type)]));
  const needy = new Set(GRANT_OF_WORD.values());
  return grant_types.flatMap((grant, index) => {
    if (!needy.has(grant) || served.has(grant)) return [];
    const example = grant === 'implicit' ? 'token' : 'code';
    const message = `grant type ${quote(grant)} needs a response type such as ${example} (RFC 7591 section 2.1)`;
    return [{ field: pointerTo('grant_types', index), message }];
  });
}

function clientCredentialsNeedAuthentication(client: ClientMetadata): Omit<Violation, 'code'>[] {
  if (!client.grant_types.includes('client_credentials') || client.token_endpoint_auth_method !== 'none')
    return [];
  const message =
    'token_endpoint_auth_method must not be none with grant type client_credentials (RFC 6749 section 4.4)';
  return [{ field: pointerTo('token_endpoint_auth_method'), message }];
}

function redirectingGrantsNeedUris({
  grant_types,
  redirect_uris,
}: ClientMetadata): Omit<Violation, 'code'>[] {
  const grant = REDIRECTING_GRANTS.find((each) => grant_types.includes(each));
  if (grant === undefined || redirect_uris.length > 0) return [];
  const message = `redirect_uris must have at least 1 element: grant type ${grant} redirects (RFC 7591 section 2)`;
  return [{ field: pointerTo('redirect_uris'), message }];
}

function implicitWebClientsNeedHttps(client: ClientMetadata): Omit<Violation, 'code'>[] {
  if (client.application_type !== 'web' || !client.grant_types.includes('implicit')) return [];
  return client.redirect_uris.flatMap((uri, index) => {
    const parts = splitUri(uri);
    if (parts?.scheme === 'https' && parts.host.toLowerCase() !== 'localhost') return [];
    const reason = 'must be https and not localhost for a web client with the implicit grant';
    const message = `${quote(uri)} ${reason} (OpenID Connect Registration section 2)`;
    return [{ field: pointerTo('redirect_uris', index), message }];
  });
}
