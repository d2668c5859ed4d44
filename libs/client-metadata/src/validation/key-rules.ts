import { pointerTo, type Violation } from '@svc/foundation';
import type { ClientMetadata } from '../fields/client-metadata.js';
import { isSigningAlgorithm, verifyingKeys } from '../fields/signing-keys.js';
import { splitUri } from '../uri/split-uri.js';

/** A rule between fields, applied only if no field that it reads is invalid by itself. */
export interface ClientRule {
  readonly code: string;
  readonly reads: readonly (keyof ClientMetadata)[];
  readonly violations: (client: ClientMetadata) => Omit<Violation, 'code'>[];
}

/** The rules between fields that are optional. */
export const KEY_RULES: readonly ClientRule[] = [
  { code: 'jwks_and_jwks_uri', reads: ['jwks', 'jwks_uri'], violations: keysInOnePlace },
  {
    code: 'private_key_jwt_without_keys',
    reads: ['token_endpoint_auth_method', 'jwks', 'jwks_uri'],
    violations: assertionsNeedKeys,
  },
  {
    code: 'no_signing_key',
    reads: ['token_endpoint_auth_method', 'token_endpoint_auth_signing_alg', 'jwks'],
    violations: assertionsNeedSigningKey,
  },
  {
    code: 'frontchannel_logout_elsewhere',
    reads: ['frontchannel_logout_uri', 'redirect_uris'],
    violations: frontChannelIsOwnHost,
  },
];

function keysInOnePlace({ jwks, jwks_uri }: ClientMetadata): Omit<Violation, 'code'>[] {
  if (jwks === undefined || jwks_uri === undefined) return [];
  return [
    { field: pointerTo('jwks_uri'), message: 'jwks_uri must not be used with jwks (RFC 7591 section 2)' },
  ];
}

function assertionsNeedKeys(client: ClientMetadata): Omit<Violation, 'code'>[] {
  const { token_endpoint_auth_method: method, jwks, jwks_uri } = client;
  if (method !== 'private_key_jwt' || jwks !== undefined || jwks_uri !== undefined) return [];
  const message = 'private_key_jwt needs jwks_uri or jwks (OpenID Connect Core section 9)';
  return [{ field: pointerTo('token_endpoint_auth_method'), message }];
}

function assertionsNeedSigningKey(client: ClientMetadata): Omit<Violation, 'code'>[] {
  const { token_endpoint_auth_method: method, token_endpoint_auth_signing_alg: algorithm, jwks } = client;
  if (method !== 'private_key_jwt' || jwks === undefined) return [];
  const algorithms = isSigningAlgorithm(algorithm) ? [algorithm] : undefined;
  if (verifyingKeys(jwks, algorithms).length > 0) return [];
  const message = `jwks has no ${algorithms ? `${algorithms.join()} ` : ''}signing key, which private_key_jwt needs`;
  return [{ field: pointerTo('jwks'), message }];
}

function frontChannelIsOwnHost(client: ClientMetadata): Omit<Violation, 'code'>[] {
  if (hasOwnFrontChannel(client)) return [];
  const message =
    'frontchannel_logout_uri must have the scheme, host and port of a redirect URI (OpenID Connect Front-Channel Logout section 2)';
  return [{ field: pointerTo('frontchannel_logout_uri'), message }];
}

/** Whether its front-channel logout, if any, is where one of these redirect URIs is. */
export function hasOwnFrontChannel({
  frontchannel_logout_uri: uri,
  redirect_uris: uris,
}: Pick<ClientMetadata, 'frontchannel_logout_uri' | 'redirect_uris'>): boolean {
  return uri === undefined || uris.some((one) => originOf(one) === originOf(uri));
}

function originOf(uri: string): string {
  const { scheme = '', host = '', port } = splitUri(uri) ?? {};
  return `${scheme}://${host.toLowerCase()}:${port ?? (scheme === 'https' ? '443' : '80')}`;
}
