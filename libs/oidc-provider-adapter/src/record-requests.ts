import {
  DEFAULT_CAPABILITIES,
  DISABLED_CLIENT,
  type RequestedMetadata,
  type ReportableUse,
  requestUse,
  validateAuthorizationRequest,
} from '@svc/client-metadata';
import type { Client, default as Provider, KoaContextWithOIDC } from 'oidc-provider';
import type { ClientDocument } from './client-document.js';
import { type Lookup, lookups } from './disabled-lookups.js';
import { requiredMethod } from './configure.js';
import { liveUrisOf, validationMethodOf } from './attach.js';
import { noteRefusals } from './refusals.js';

/** @param createdAt when the Client was registered; undefined if the registry does not say */
type RecordUse = (clientId: string, use: ReportableUse, createdAt: number | undefined) => void;

/** The provider has refused a request that violates no rule of the registry. */
const OTHER_RULE = 'other';

/**
 * Records each authorization request of a registry's Client once, as the provider has decided it, and each assertion with
 * which one authenticates; of a disabled Client also the secrets, which the registry is not asked about.
 */
export function recordRequests(provider: Provider, record: RecordUse): void {
  const refusals = noteRefusals(provider);
  provider.use(async (ctx, next) => {
    const lookup: Lookup = {};
    try {
      await lookups.run(lookup, next);
    } finally {
      // Absent if it is not an OpenID Connect request.
      const { oidc } = ctx as Partial<KoaContextWithOIDC>;
      if (oidc && !oidc.client && lookup.disabled)
        recordDisabled(lookup.disabled, oidc, ctx.get('authorization'), record);
      if (oidc?.route === 'authorization' && oidc.client)
        recordRequest(
          oidc.client,
          oidc.params,
          { isRefused: refusals.has(ctx), method: requiredMethod(ctx, oidc.client) },
          record,
        );
      if (oidc?.client && oidc.body?.['client_assertion'] !== undefined)
        recordAssertion(oidc.client, ctx, record);
    }
  });
}

function recordRequest(
  client: Client,
  params: KoaContextWithOIDC['oidc']['params'],
  { isRefused, method }: { readonly isRefused: boolean; readonly method: 'S256' | 'none' },
  record: RecordUse,
): void {
  const metadata = requestedMetadata(client, method);
  if (!metadata) return;
  const request = requestOf(params);
  const validation = validateAuthorizationRequest(request, client.clientId, metadata, DEFAULT_CAPABILITIES);
  const { refusal = OTHER_RULE, ...use } = requestUse(request, validation, metadata, DEFAULT_CAPABILITIES);
  record(client.clientId, isRefused ? { ...use, refusal } : use, createdAtOf(client));
}

function requestOf(params: KoaContextWithOIDC['oidc']['params']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** Nothing of a request that would not be counted if the Client were enabled. */
function recordDisabled(
  client: ClientDocument,
  { route, params, body }: KoaContextWithOIDC['oidc'],
  authorization: string,
  record: RecordUse,
): void {
  const add = (use: ReportableUse) => record(client.client_id, use, createdAtOf(client));
  if (route === 'authorization') {
    const types = client['response_types'] as readonly string[] | undefined;
    const metadata = { ...client, code_challenge_method: 'none', response_types: types ?? ['code'] } as const;
    add(requestUse(requestOf(params), DISABLED_CLIENT, metadata, DEFAULT_CAPABILITIES));
  } else if (body?.['client_assertion'] !== undefined) {
    add({ kind: 'assertion', refusal: 'assertion_method' });
  } else if (body?.['client_secret'] !== undefined || /^basic /i.test(authorization)) {
    add({ kind: 'secret', refusal: 'client_disabled' });
  }
}

/** The provider does not say which rule an assertion violates. */
function recordAssertion(
  client: Client,
  { status, body }: { readonly status: number; readonly body: unknown },
  record: RecordUse,
): void {
  if (
    validationMethodOf(client) === undefined ||
    client.clientAuthMethod !== 'private_key_jwt' ||
    status >= 500
  )
    return;
  const isRefused = (body as { readonly error?: unknown } | null | undefined)?.error === 'invalid_client';
  record(
    client.clientId,
    { kind: 'assertion', ...(isRefused && { refusal: 'assertion_other' }) },
    createdAtOf(client),
  );
}

function createdAtOf(client: Client | ClientDocument): number | undefined {
  const createdAt = Date.parse(String(client['created_at']));
  return Number.isNaN(createdAt) ? undefined : createdAt;
}

/** @returns undefined for a Client that did not come from the registry */
function requestedMetadata(
  client: Client,
  code_challenge_method: RequestedMetadata['code_challenge_method'],
): RequestedMetadata | undefined {
  const method = validationMethodOf(client);
  if (method === undefined) return undefined;
  const { applicationType = 'web', responseTypes = ['code'] } = client;
  return {
    redirect_uris: liveUrisOf(client),
    redirect_uri_validation_method: method,
    application_type: applicationType,
    response_types: responseTypes,
    code_challenge_method,
  };
}
