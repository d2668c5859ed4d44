import type { ClientMetadata } from '../fields/client-metadata.js';
import type { TemporaryUri } from '../fields/temporary-uris.js';
import type { ClientUse, RequestUse } from '../usage/client-use.js';

/** Equal uses over the observed days. */
export interface ObservedUse<Use extends ClientUse = ClientUse> {
  readonly use: Use;
  readonly count: number;
  readonly lastAt: Date;
}

/** A client_secret that is valid now. */
export interface ObservedSecret {
  /** Its last characters. */
  readonly hint: string;
  readonly createdAt: Date;
  /** Null: never. */
  readonly lastUsedAt: Date | null;
}

/** A change of the Client since the observation began. The metadata is null if the change did not affect it. */
export interface ObservedChange {
  readonly kind: string;
  readonly before: ClientMetadata | null;
  readonly after: ClientMetadata | null;
}

/** The Client as it is now. */
export interface ObservedClient {
  readonly clientId: string;
  readonly metadata: ClientMetadata;
  readonly temporaryUris: readonly TemporaryUri[] | null;
  readonly enabled: boolean;
  readonly createdAt: Date;
}

/** How a Client was used over some days, all of which are recorded completely, and since then. */
export interface Observation {
  /** When the first day begins. */
  readonly from: Date;
  readonly uses: readonly ObservedUse[];
  readonly secrets: readonly ObservedSecret[];
  readonly changes: readonly ObservedChange[];
  /** The last accepted request or secret, also before `from`; null: none is known. */
  readonly lastUsedAt: Date | null;
  /** Whether any request, and any secret, of any Client was accepted: where none is recorded, absence proves nothing. */
  readonly sees: { readonly requests: boolean; readonly secrets: boolean };
}

/** A Client and what its observation shows. */
export interface Subject {
  readonly client: ObservedClient;
  readonly observation: Observation;
  /** Accepted requests. */
  readonly accepted: readonly ObservedUse<RequestUse>[];
  /** Accepted checks of secrets. */
  readonly secretChecks: readonly ObservedUse[];
  /** The metadata that changed since `from`, which has not been proven as it is now. */
  readonly changed: ReadonlySet<keyof ClientMetadata>;
  /** Whether it was disabled or enabled since `from`, so that it was not usable throughout. */
  readonly wasSwitched: boolean;
}

export function subjectOf(client: ObservedClient, observation: Observation): Subject {
  const { uses, changes } = observation;
  const valid = uses.filter(({ use }) => use.refusal === undefined);
  return {
    client,
    observation,
    accepted: valid.filter(isRequest),
    secretChecks: valid.filter(({ use }) => use.kind === 'secret'),
    changed: new Set(changes.flatMap(changedFields)),
    wasSwitched: changes.some(({ kind }) => kind === 'enabled' || kind === 'disabled'),
  };
}

/**
 * The redirect URIs that no accepted request used, although all of them were registered throughout. Temporary ones,
 * which expire anyway, are left out.
 */
export function unusedUris({ client, observation, accepted, wasSwitched }: Subject): readonly string[] {
  const isUncertain = wasSwitched || accepted.some(({ use }) => use.others);
  if (isUncertain || !observation.sees.requests) return [];
  const used = new Set(accepted.map(({ use }) => use.redirect_uri));
  const temporary = new Set(client.temporaryUris?.map(({ redirect_uri: uri }) => uri));
  return client.metadata.redirect_uris.filter(
    (uri) => !used.has(uri) && !temporary.has(uri) && isSteady(uri, observation),
  );
}

export function isRequest(observed: ObservedUse): observed is ObservedUse<RequestUse> {
  return observed.use.kind === 'request';
}

function isSteady(uri: string, { changes }: Observation): boolean {
  return changes.every(({ before, after }) =>
    [before, after].every((metadata) => metadata === null || metadata.redirect_uris.includes(uri)),
  );
}

function changedFields({ before, after }: ObservedChange): (keyof ClientMetadata)[] {
  if (!before || !after) return [];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof ClientMetadata>;
  return [...names].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}
