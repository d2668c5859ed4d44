import {
  type CodeChallengeMethod,
  DEFAULT_CAPABILITIES,
  type RequestedMetadata,
  type RequestUse,
  requestUse,
  validateAuthorizationRequest,
} from '@svc/client-metadata';
import type { Client, default as Provider, KoaContextWithOIDC } from 'oidc-provider';
import { liveUrisOf, validationMethodOf } from './attach.js';

/** Records each authorization request of a registry's Client once, with the result that the registry's check would have. */
export function recordRequests(
  provider: Provider,
  record: (clientId: string, use: RequestUse) => void,
): void {
  provider.use(async (ctx, next) => {
    try {
      await next();
    } finally {
      // Absent where the request is none of OpenID Connect.
      const { oidc } = ctx as Partial<KoaContextWithOIDC>;
      if (oidc?.route === 'authorization' && oidc.client) recordRequest(oidc.client, oidc.params, record);
    }
  });
}

function recordRequest(
  client: Client,
  params: KoaContextWithOIDC['oidc']['params'],
  record: (clientId: string, use: RequestUse) => void,
): void {
  const metadata = requestedMetadata(client);
  if (!metadata) return;
  const request = Object.fromEntries(
    Object.entries(params ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
  const validation = validateAuthorizationRequest(request, client.clientId, metadata, DEFAULT_CAPABILITIES);
  record(client.clientId, requestUse(request, validation, metadata, DEFAULT_CAPABILITIES));
}

/** @returns undefined for a Client that did not come from the registry */
function requestedMetadata(client: Client): RequestedMetadata | undefined {
  const method = validationMethodOf(client);
  if (method === undefined) return undefined;
  const { applicationType = 'web', responseTypes = ['code'] } = client;
  return {
    redirect_uris: liveUrisOf(client),
    redirect_uri_validation_method: method,
    application_type: applicationType,
    response_types: responseTypes,
    code_challenge_method: (client['code_challenge_method'] as CodeChallengeMethod | undefined) ?? 'none',
  };
}
