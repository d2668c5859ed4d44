import type { Capabilities } from '../fields/capabilities.js';
import type { ClientMetadata } from '../fields/client-metadata.js';
import { REQUEST_RULES } from '../requests/authorization-request.js';
import { NEAR_MISS_DIFFERENCES } from '../uri/near-miss.js';
import type { RequestUse } from './client-use.js';
import { countedResponseType } from './request-use.js';
import { uriOrigin } from './uri-origin.js';

/**
 * A use that another server reports, reduced as if it had been counted here: a URI that the Client has not registered loses its
 * path, whatever the reporter sends.
 */
export function reportedUse(
  reported: RequestUse,
  metadata: Pick<ClientMetadata, 'redirect_uris' | 'response_types'>,
  capabilities: Capabilities,
): RequestUse {
  const { refusal, match, pkce, is_clean: isClean } = reported;
  return {
    kind: 'request',
    ...(refusal !== undefined && { refusal: REQUEST_RULES.has(refusal) ? refusal : 'other' }),
    ...reportedUri(reported, metadata.redirect_uris),
    ...(match !== undefined && { match }),
    ...(isClean !== undefined && { is_clean: isClean }),
    pkce,
    response_type: ['missing', 'other'].includes(reported.response_type)
      ? reported.response_type
      : countedResponseType(reported.response_type, metadata, capabilities),
    ...(reported.others && { others: true }),
  };
}

function reportedUri(
  { redirect_uri: uri, origin, difference, others }: RequestUse,
  registered: readonly string[],
): Pick<RequestUse, 'redirect_uri' | 'origin' | 'difference'> {
  if (others) return {};
  const isRegistered = uri !== undefined && registered.includes(uri);
  const requested = origin ?? (isRegistered ? undefined : uri);
  return {
    ...(isRegistered && { redirect_uri: uri }),
    ...(requested !== undefined && { origin: uriOrigin(requested) }),
    ...(isRegistered && NEAR_MISS_DIFFERENCES.includes(difference ?? '') && { difference: difference! }),
  };
}
