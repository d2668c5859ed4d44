import {
  type ClientMetadata,
  hasOwnFrontChannel,
  liveRedirectUris,
  type TemporaryUri,
} from '@svc/client-metadata';
import { RegistryError } from '../errors/registry-error.js';
import { InvalidClientError } from './client.errors.js';
import type { StoredClient } from './stored-client.js';

/** Per Client. */
export const MAX_TEMPORARY_URIS = 50;

/** A redirect URI to add. */
export interface AddedUri {
  readonly uri: string;
  /** When it ends; undefined: never. */
  readonly expiresAt?: Date | undefined;
  readonly note?: string | undefined;
}

type WithUris = Pick<StoredClient, 'temporaryUris'> & {
  readonly metadata: Pick<ClientMetadata, 'redirect_uris'>;
};

/** The temporary redirect URIs; null: none. Skips leftovers of versions that remove only the URI itself. */
export function currentTemporaryUris({ metadata, temporaryUris }: WithUris): readonly TemporaryUri[] | null {
  return temporaryAmong(metadata.redirect_uris, temporaryUris);
}

export function temporaryAmong(
  uris: readonly string[],
  temporary: readonly TemporaryUri[] | null,
): readonly TemporaryUri[] | null {
  const kept = temporary?.filter(({ redirect_uri: uri }) => uris.includes(uri)) ?? [];
  return kept.length > 0 ? kept : null;
}

/**
 * The body of a developer's update with the redirect URIs that developers do not see, unless it leaves the Client without
 * others.
 */
export function withTemporary(body: unknown, before: WithUris): unknown {
  const temporary = currentTemporaryUris(before)?.map(({ redirect_uri: uri }) => uri) ?? [];
  const { redirect_uris: sent } = (body ?? {}) as { readonly redirect_uris?: unknown };
  if (temporary.length === 0 || !Array.isArray(sent) || sent.length === 0) return body;
  const given: readonly unknown[] = sent;
  return {
    ...(body as object),
    redirect_uris: [...given, ...temporary.filter((uri) => !given.includes(uri))],
  };
}

/** The metadata as checks see it: without redirect URIs that have expired. */
export function liveMetadata(
  { metadata, temporaryUris }: Pick<StoredClient, 'metadata' | 'temporaryUris'>,
  now: number,
): ClientMetadata {
  if (!temporaryUris) return metadata;
  return { ...metadata, redirect_uris: liveRedirectUris(metadata.redirect_uris, temporaryUris, now) };
}

/** @throws {RegistryError} `redirect_uri_permanent`, `too_many_temporary_uris` */
export function withAdded(
  before: StoredClient,
  { uri, expiresAt, note }: AddedUri,
): readonly TemporaryUri[] | null {
  const temporary = currentTemporaryUris(before) ?? [];
  const isTemporary = temporary.some(({ redirect_uri: other }) => other === uri);
  const others = temporary.filter(({ redirect_uri: other }) => other !== uri);
  if (expiresAt === undefined) return others;
  if (before.metadata.redirect_uris.includes(uri) && !isTemporary) throw permanent();
  if (others.length >= MAX_TEMPORARY_URIS) throw tooMany();
  const added = {
    redirect_uri: uri,
    expires_at: expiresAt.toISOString(),
    ...(note !== undefined && { note }),
  };
  return [...others, added];
}

/** When the last one ended, the Client would be left without any. @throws {InvalidClientError} */
export function assertNotOnlyTemporary(
  uris: readonly string[],
  temporary: readonly TemporaryUri[] | null,
): void {
  if (!temporary || uris.length > temporary.length) return;
  throw new InvalidClientError([
    {
      field: '/redirect_uris',
      code: 'only_temporary',
      message: 'redirect_uris must contain a permanent URI: only additional ones can be temporary',
    },
  ]);
}

/**
 * When the last one of its host ended, a frontchannel_logout_uri would make the Client invalid, and every change would be
 * refused. Clients that already depend on one can be changed until then.
 *
 * @throws {InvalidClientError}
 */
export function assertLastingFrontChannel(
  before: StoredClient,
  metadata: ClientMetadata,
  temporary: readonly TemporaryUri[] | null,
): void {
  if (hasLastingFrontChannel(metadata, temporary)) return;
  const isNew = before.metadata.frontchannel_logout_uri !== metadata.frontchannel_logout_uri;
  if (!isNew && !hasLastingFrontChannel(before.metadata, currentTemporaryUris(before))) return;
  throw new InvalidClientError([
    {
      field: '/frontchannel_logout_uri',
      code: 'frontchannel_logout_temporary',
      message:
        'frontchannel_logout_uri must have the scheme, host and port of a permanent redirect URI: those that match it are temporary',
    },
  ]);
}

function hasLastingFrontChannel(
  metadata: ClientMetadata,
  temporary: readonly TemporaryUri[] | null,
): boolean {
  const ending = temporary?.map(({ redirect_uri: uri }) => uri) ?? [];
  const lasting = metadata.redirect_uris.filter((uri) => !ending.includes(uri));
  return hasOwnFrontChannel({ ...metadata, redirect_uris: lasting });
}

function permanent(): RegistryError {
  return new RegistryError(
    'redirect_uri_permanent',
    'this redirect URI is permanent; to make it temporary, remove it first',
  );
}

function tooMany(): RegistryError {
  return new RegistryError(
    'too_many_temporary_uris',
    `a client may have at most ${MAX_TEMPORARY_URIS} temporary redirect URIs; remove one first`,
  );
}
