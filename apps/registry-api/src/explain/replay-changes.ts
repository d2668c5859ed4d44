import {
  type Capabilities,
  type ClientMetadata,
  DISABLED_CLIENT,
  type RequestParameters,
  type RequestValidation,
  type RequestedMetadata,
  validateAuthorizationRequest,
} from '@svc/client-metadata';
import type { ChangeKind } from '../clients/client-change.entity.js';

/** What a check depends on. */
export type DecisiveMetadata = Pick<ClientMetadata, keyof RequestedMetadata>;

/** A Client at some time; undefined while there was none. */
export type ClientVersion = { readonly enabled: boolean; readonly metadata: DecisiveMetadata } | undefined;

/** A change, as far as a check depends on it. */
export interface DecisiveChange {
  readonly kind: ChangeKind;
  /** Null for a registration, and where the metadata does not change. */
  readonly before: DecisiveMetadata | null;
  /** Null for a deletion, and where the metadata does not change. */
  readonly after: DecisiveMetadata | null;
}

/** A request and what it is sent to. */
export interface CheckedRequest {
  readonly clientId: string;
  readonly parameters: RequestParameters;
  readonly capabilities: Capabilities;
}

/** The result for a Client that does not exist any more. */
const DELETED_CLIENT: RequestValidation = {
  valid: false,
  errors: [
    {
      error: 'unauthorized_client',
      rule: 'client_deleted',
      error_description: 'the client was deleted',
      must_not_redirect: true,
    },
  ],
};

export function checkVersion(
  { clientId, parameters, capabilities }: CheckedRequest,
  version: ClientVersion,
): RequestValidation {
  if (!version) return DELETED_CLIENT;
  if (!version.enabled) return DISABLED_CLIENT;
  return validateAuthorizationRequest(parameters, clientId, version.metadata, capabilities);
}

/**
 * The Client before a change. It counts as enabled while it was disabled, unless it is disabled at the end: a past disabling
 * does not explain a refusal now. A deletion does not say whether its Client was enabled.
 */
export function versionBefore(after: ClientVersion, { kind, before }: DecisiveChange): ClientVersion {
  if (kind === 'registered') return undefined;
  if (kind === 'deleted') return before ? { enabled: true, metadata: before } : undefined;
  if (!after) return undefined;
  if (kind === 'disabled') return { ...after, enabled: true };
  return before ? { ...after, metadata: before } : after;
}

/** What a replay has found. */
export type Replay<Change> =
  /** The change that broke the request, and the last version that accepted it. */
  | { readonly broken: { readonly change: Change; readonly accepted: NonNullable<ClientVersion> } }
  /** It was broken after this version, by a change that is not among those replayed. */
  | { readonly unseen: NonNullable<ClientVersion> }
  /** None broke it: the Client before the earliest of them. */
  | { readonly before: ClientVersion };

/**
 * Looks for the change that broke a request.
 *
 * @param version the Client after the first of `changes`, which refuses the request
 * @param changes latest first
 */
export function replayChanges<Change extends DecisiveChange>(
  request: CheckedRequest,
  version: ClientVersion,
  changes: readonly Change[],
): Replay<Change> {
  let after = version;
  for (const change of changes) {
    const left = after && change.after && { ...after, metadata: change.after };
    if (left && checkVersion(request, left).valid) return { unseen: left };
    const before = versionBefore(after, change);
    if (before && checkVersion(request, before).valid) return { broken: { change, accepted: before } };
    after = before;
  }
  return { before: after };
}
