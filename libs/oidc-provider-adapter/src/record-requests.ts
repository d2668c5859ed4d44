import {
  type CodeChallengeMethod,
  DEFAULT_CAPABILITIES,
  type RequestedMetadata,
  type ReportableUse,
  requestUse,
  validateAuthorizationRequest,
} from '@svc/client-metadata';
import type { Client, default as Provider, KoaContextWithOIDC } from 'oidc-provider';
import { liveUrisOf, validationMethodOf } from './attach.js';

/** @param createdAt when the Client was registered; undefined if the registry does not say */
type RecordUse = (clientId: string, use: ReportableUse, createdAt: number | undefined) => void;

/**
 * Records each authorization request of a registry's Client once, with the result that the registry's check would have, and
 * each assertion with which one authenticates.
 */
export function recordRequests(provider: Provider, record: RecordUse): void {
  provider.use(async (ctx, next) => {
    try {
      await next();
    } finally {
      // Absent if it is not an OpenID Connect request.
      const { oidc } = ctx as Partial<KoaContextWithOIDC>;
      if (oidc?.route === 'authorization' && oidc.client) recordRequest(oidc.client, oidc.params, record);
      if (oidc?.client && oidc.body?.['client_assertion'] !== undefined)
        recordAssertion(oidc.client, ctx, record);
    }
  });
}

function recordRequest(
  client: Client,
  params: KoaContextWithOIDC['oidc']['params'],
  record: RecordUse,
): void {
  const metadata = requestedMetadata(client);
  if (!metadata) return;
  const request = Object.fromEntries(
    Object.entries(params ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
  const validation = validateAuthorizationRequest(request, client.clientId, metadata, DEFAULT_CAPABILITIES);
  record(
    client.clientId,
    requestUse(request, validation, metadata, DEFAULT_CAPABILITIES),
    createdAtOf(client),
  );
}

/** The provider does not say which rule an assertion violates. */
function recordAssertion(
  client: Client,
  { status, body }: { readonly status: number; readonly body: unknown },
  record: RecordUse,
): void {
  if (!requestedMetadata(client) || client.clientAuthMethod !== 'private_key_jwt' || status >= 500) return;
  const isRefused = (body as { readonly error?: unknown } | null | undefined)?.error === 'invalid_client';
  record(
    client.clientId,
    { kind: 'assertion', ...(isRefused && { refusal: 'assertion_other' }) },
    createdAtOf(client),
  );
}

function createdAtOf(client: Client): number | undefined {
  const createdAt = Date.parse(String(client['created_at']));
  return Number.isNaN(createdAt) ? undefined : createdAt;
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
