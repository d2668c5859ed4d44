import { Injectable } from '@nestjs/common';
import {
  codesOf,
  type ClientSelector,
  type Requester,
  type TemporaryUri,
  usesSecret,
  validateImport,
  validatePatch,
  validateRegistration,
  validateUpdate,
  type Violation,
  warningsOf,
  withoutTemporaryUris,
} from '@svc/client-metadata';
import type { Caller, Reach } from '../http/current-caller.js';
import { SecretHasher } from '../secrets/secret-hasher.js';
import { RegistrySettings } from '../settings/registry-settings.js';
import { toClientDocument } from './client-document.js';
import { InvalidClientError } from './client.errors.js';
import { cookieNameOf, hintOf, newClientId, newClientSecret } from './credentials.js';
import { isManagedByOthers, type Importer, managedByOthers } from './client-managers.js';
import type { NewClient, NewSecret, PlannedChange, Rotation } from './planned-change.js';
import { planUpdate, type Update, requireValid, type ValidResult } from './plan-update.js';
import { newestAccepted, type StoredClient } from './stored-client.js';
import {
  type AddedUri,
  currentTemporaryUris,
  liveMetadata,
  temporaryAmong,
  withAdded,
  withTemporary,
} from './temporary-uris.js';

/** A change that creates a client_secret, and the secret, which cannot be read again. */
export interface WithSecret {
  readonly change: PlannedChange;
  readonly secret: string;
}

/** A change, if any, and the client_secret if it creates one. */
export interface WithSecretIfAny {
  readonly change?: PlannedChange | undefined;
  readonly secret?: string | undefined;
}

/** Whether a client_secret in the body is one of the Client's. */
export interface ReplaceOptions {
  readonly isCurrentSecret?: (secret: string) => boolean;
}

/** How a developer registers a Client. */
export interface OwnRegistration {
  /** Hash of the registration access token. */
  readonly tokenHash: Buffer;
  /** Whether the Client stays disabled until an administrator enables it. */
  readonly isPending: boolean;
}

/**
 * Validates a request and plans the change that it makes, if any. Every way of changing Clients goes through here: single
 * requests, bulk requests, imports, and registration by developers.
 */
@Injectable()
export class ChangePlanner {
  constructor(
    private readonly hasher: SecretHasher,
    private readonly settings: RegistrySettings,
  ) {}

  /**
   * @param secretExpiresIn the secret's lifetime in seconds; absent: the longest allowed one
   * @throws {InvalidClientError}
   */
  register(body: unknown, actor: Caller, secretExpiresIn?: number): WithSecret {
    this.assertAllowed('/secret_expires_in', secretExpiresIn);
    const validation = requireValid(
      validateRegistration(body, this.settings.capabilities, { selector: actor.selector }),
    );
    return this.registered(validation, { managedBy: 'users', registeredBy: actor }, secretExpiresIn);
  }

  /**
   * A registration by a developer: a Client has a secret only if its method uses one (RFC 7591 section 3.2.1).
   *
   * @throws {InvalidClientError}
   */
  registerOwn(
    body: unknown,
    actor: Caller,
    { tokenHash, isPending }: OwnRegistration,
  ): { change: PlannedChange; secret: string | undefined } {
    const validation = requireValid(
      validateRegistration(body, this.settings.capabilities, {
        requester: 'public',
        selector: actor.selector,
      }),
    );
    const secret = usesSecret(validation.metadata.token_endpoint_auth_method) ? newClientSecret() : undefined;
    const origin = { managedBy: 'developers', registeredBy: actor } as const;
    const stored = secret === undefined ? undefined : this.stored(secret);
    const registration = { tokenHash, expiresAt: this.settings.registrationTokens.expiryFrom(new Date()) };
    const client = { ...this.newClient(validation, origin, stored), registration, isPending };
    return { change: { kind: 'registered', client }, secret };
  }

  /** @throws {InvalidClientError} */
  replace(
    before: StoredClient,
    body: unknown,
    { selector }: Reach,
    options: ReplaceOptions = {},
  ): Update | undefined {
    const lasting = withoutTemporaryUris(body, before.metadata.redirect_uris);
    return this.updatedBy('admin', before, lasting, { ...options, selector });
  }

  /**
   * A replacement by the developer who registered the Client: changing to a method that uses a secret, or having none for
   * it that is still valid, creates a secret; changing to one that does not removes the secrets.
   *
   * @throws {InvalidClientError}
   */
  replaceOwn(
    before: StoredClient,
    body: unknown,
    { selector }: Reach,
    options: ReplaceOptions,
  ): WithSecretIfAny {
    const whole = withTemporary(body, before);
    const change = this.updatedBy('public', before, whole, { ...options, selector });
    if (!usesSecret((change ?? before).metadata.token_endpoint_auth_method)) {
      const isDropped = change !== undefined && usesSecret(before.metadata.token_endpoint_auth_method);
      return { change: isDropped ? { ...change, secret: null } : change };
    }
    if (usesSecret(before.metadata.token_endpoint_auth_method) && newestAccepted(before, Date.now()))
      return { change };
    if (!change) return this.rotateSecret(before, { overlap: 0 });
    const secret = newClientSecret();
    return { change: { ...change, secret: this.stored(secret) }, secret };
  }

  /** @param patch a JSON Merge Patch (RFC 7396) @throws {InvalidClientError} */
  patch(
    before: StoredClient,
    patch: unknown,
    { selector }: Reach,
    options: ReplaceOptions = {},
  ): PlannedChange | undefined {
    const { capabilities } = this.settings;
    const lasting = withoutTemporaryUris(patch, before.metadata.redirect_uris);
    return planUpdate(
      before,
      validatePatch(toClientDocument(before, capabilities), lasting, capabilities, { ...options, selector }),
    );
  }

  /**
   * Makes the Client match a record of an export or a declaration.
   *
   * @param violations further violations of the record
   * @param importedSecret the secret of a new Client; by default, one is generated
   * @throws {InvalidClientError} with all violations
   */
  planImportRecord(
    record: unknown,
    before: StoredClient | undefined,
    importer: Importer,
    violations: readonly Violation[],
    importedSecret?: NewSecret,
  ): WithSecretIfAny {
    const { capabilities } = this.settings;
    const { manager, takesOver, caller } = importer;
    const current = before && toClientDocument(before, capabilities);
    const validation = validateImport(
      withoutTemporaryUris(record, before?.metadata.redirect_uris ?? []),
      capabilities,
      {
        selector: caller.selector,
        ...(current && { current }),
      },
    );
    if (!before) {
      const origin = { managedBy: manager, registeredBy: caller };
      const valid = requireValid(validation, violations);
      if (!importedSecret) return this.registered(valid, origin);
      return { change: { kind: 'registered', client: this.newClient(valid, origin, importedSecret) } };
    }
    const isOthers = isManagedByOthers(before.managedBy, manager);
    const conflicts = isOthers && !takesOver ? [managedByOthers(before.managedBy)] : [];
    const valid = requireValid(validation, [...violations, ...conflicts]);
    const change = planUpdate(before, valid, isOthers ? manager : undefined);
    return change ? { change } : {};
  }

  /**
   * Adds a redirect URI, or changes its end; without one it stays for good.
   *
   * @throws {InvalidClientError | RegistryError} `redirect_uri_permanent`
   */
  addRedirectUri(before: StoredClient, added: AddedUri, { selector }: Reach): PlannedChange | undefined {
    const { redirect_uris: uris } = before.metadata;
    const redirect_uris = uris.includes(added.uri) ? uris : [...uris, added.uri];
    return this.withRedirectUris(before, redirect_uris, withAdded(before, added), selector);
  }

  /** @throws {InvalidClientError} */
  removeRedirectUri(before: StoredClient, removed: string, { selector }: Reach): PlannedChange | undefined {
    const redirect_uris = before.metadata.redirect_uris.filter((uri) => uri !== removed);
    return this.withRedirectUris(before, redirect_uris, currentTemporaryUris(before), selector);
  }

  /** The rest of the Client is not validated: checks refuse expired URIs, whatever has become invalid since. */
  removeExpiredUris(before: StoredClient, now: Date): PlannedChange | undefined {
    const metadata = liveMetadata(before, now.getTime());
    if (metadata.redirect_uris.length === before.metadata.redirect_uris.length) return undefined;
    const temporaryUris = temporaryAmong(metadata.redirect_uris, before.temporaryUris);
    const warnings = codesOf(warningsOf(metadata, this.settings.capabilities));
    return { kind: 'updated', before, metadata, temporaryUris, warnings };
  }

  setEnabled(before: StoredClient, enabled: boolean): PlannedChange | undefined {
    return before.enabled === enabled ? undefined : { kind: enabled ? 'enabled' : 'disabled', before };
  }

  /** @throws {InvalidClientError} */
  rotateSecret(before: StoredClient, { overlap, expiresIn }: Rotation): WithSecret {
    this.assertAllowed('/expires_in', expiresIn);
    const secret = newClientSecret();
    const formerUntil = formerUntilOf(before, overlap, Date.now());
    const change = { before, secret: this.stored(secret, expiresIn), formerUntil } as const;
    return { change: { kind: 'secret_rotated', ...change }, secret };
  }

  private withRedirectUris(
    before: StoredClient,
    redirect_uris: readonly string[],
    temporary: readonly TemporaryUri[] | null,
    selector: ClientSelector,
  ): PlannedChange | undefined {
    const { capabilities } = this.settings;
    const current = toClientDocument(before, capabilities);
    const validation = validatePatch(current, { redirect_uris }, capabilities, { selector });
    return planUpdate(before, validation, undefined, temporary);
  }

  private registered(validation: ValidResult, origin: Origin, secretExpiresIn?: number): WithSecret {
    const secret = newClientSecret();
    const client = this.newClient(validation, origin, this.stored(secret, secretExpiresIn));
    return { change: { kind: 'registered', client }, secret };
  }

  private newClient(
    { metadata, preferredClientId, warnings }: ValidResult,
    origin: Origin,
    secret: NewSecret | undefined,
  ): NewClient {
    const clientId = preferredClientId ?? newClientId();
    const cookieName = cookieNameOf(this.settings.cookiePrefix, clientId);
    return { clientId, metadata, warnings: codesOf(warnings), cookieName, ...origin, secret };
  }

  private updatedBy(
    requester: Requester,
    before: StoredClient,
    body: unknown,
    options: ReplaceOptions & Reach,
  ): Update | undefined {
    const { capabilities } = this.settings;
    const current = toClientDocument(before, capabilities);
    return planUpdate(before, validateUpdate(current, body, capabilities, { ...options, requester }));
  }

  private stored(secret: string, expiresIn?: number): NewSecret {
    const expiresAt = this.settings.secrets.expiryFrom(new Date(), expiresIn);
    return { ...this.hasher.hash(secret), hint: hintOf(secret), expiresAt };
  }

  private assertAllowed(field: string, expiresIn = 0): void {
    const { maxSeconds = Number.POSITIVE_INFINITY } = this.settings.secrets;
    if (expiresIn <= maxSeconds) return;
    const message = `must be at most ${maxSeconds} seconds, the longest lifetime that this registry allows`;
    throw new InvalidClientError([{ field, code: 'duration_too_long', message }]);
  }
}

type Origin = Pick<NewClient, 'managedBy' | 'registeredBy'>;

/** The newest accepted secret ends after the overlap, or when it ends anyway. Null: at once, or there is none. */
function formerUntilOf(before: StoredClient, overlap: number, now: number): Date | null {
  const former = newestAccepted(before, now);
  if (!former) return null;
  const until = Math.min(now + overlap * 1_000, Date.parse(former.expiresAt ?? '') || Infinity);
  return until > now ? new Date(until) : null;
}
