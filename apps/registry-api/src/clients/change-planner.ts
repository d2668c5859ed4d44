import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import {
  codesOf,
  type Audience,
  judgeImport,
  judgePatch,
  judgeRegistration,
  type Judgement,
  judgeUpdate,
  type Problem,
} from '@svc/client-metadata';
import { RegistrySettings } from '../registry-settings.js';
import { SecretHasher } from '../secrets/secret-hasher.js';
import { toClientDocument } from './client-document.js';
import { InvalidClientError } from './client.errors.js';
import { cookieNameOf, hintOf, newClientId, newClientSecret } from './credentials.js';
import type { NewSecret, PlannedChange } from './planned-change.js';
import type { StoredClient } from './stored-client.js';

/** A change that makes a client_secret, and the secret, which nobody can read again. */
export interface WithSecret {
  readonly change: PlannedChange;
  readonly secret: string;
}

/** Who registers, and how they manage the Client afterwards. */
export interface RegisterOptions {
  readonly audience?: Audience;
  /** What the registration access token is known by. */
  readonly registrationTokenHash?: Buffer;
}

/** Who replaces, and whether a client_secret in the body is one of the Client's. */
export interface ReplaceOptions {
  readonly audience?: Audience;
  readonly isCurrentSecret?: (secret: string) => boolean;
}

/**
 * Judges what is asked of a Client and plans the change that follows; nothing is planned where nothing would change.
 * Every way of changing Clients comes here: one by one, in bulk, by import, by developers.
 */
@Injectable()
export class ChangePlanner {
  constructor(
    private readonly hasher: SecretHasher,
    private readonly settings: RegistrySettings,
  ) {}

  /** @throws {InvalidClientError} */
  register(body: unknown, options: RegisterOptions = {}): WithSecret {
    const { audience = 'admin', registrationTokenHash } = options;
    const judgement = judgeRegistration(body, this.settings.capabilities, { audience });
    return this.registered(validOf(judgement), registrationTokenHash);
  }

  /** @throws {InvalidClientError} */
  replace(before: StoredClient, body: unknown, options: ReplaceOptions = {}): PlannedChange | undefined {
    const { capabilities } = this.settings;
    return updated(before, judgeUpdate(toClientDocument(before, capabilities), body, capabilities, options));
  }

  /** @param patch a JSON Merge Patch (RFC 7396) @throws {InvalidClientError} */
  patch(
    before: StoredClient,
    patch: unknown,
    options: Pick<ReplaceOptions, 'isCurrentSecret'> = {},
  ): PlannedChange | undefined {
    const { capabilities } = this.settings;
    return updated(before, judgePatch(toClientDocument(before, capabilities), patch, capabilities, options));
  }

  /**
   * A record of an export or a declaration: the Client of its id is to be so.
   *
   * @param faults what else is wrong with the record
   * @throws {InvalidClientError} with all that is wrong
   */
  takeRecord(
    record: unknown,
    before: StoredClient | undefined,
    faults: readonly Problem[],
  ): Partial<WithSecret> {
    const { capabilities } = this.settings;
    const current = before && toClientDocument(before, capabilities);
    const judgement = judgeImport(record, capabilities, { ...(current && { current }) });
    if (!before) return this.registered(validOf(judgement, faults));
    const change = updated(before, validOf(judgement, faults));
    return change ? { change } : {};
  }

  turn(before: StoredClient, enabled: boolean): PlannedChange | undefined {
    return before.enabled === enabled ? undefined : { kind: enabled ? 'enabled' : 'disabled', before };
  }

  /** @param formerUntil until when the former secret stays valid; null: no longer */
  rotateSecret(before: StoredClient, formerUntil: Date | null): WithSecret {
    const secret = newClientSecret();
    return { change: { kind: 'secret_rotated', before, secret: this.stored(secret), formerUntil }, secret };
  }

  private registered(judgement: ValidJudgement, registrationTokenHash?: Buffer): WithSecret {
    const { metadata, preferredClientId } = judgement;
    const clientId = preferredClientId ?? newClientId();
    const cookieName = cookieNameOf(this.settings.cookiePrefix, clientId);
    const secret = newClientSecret();
    const stored = { secret: this.stored(secret), registrationTokenHash };
    const client = { clientId, metadata, warnings: codesOf(judgement.warnings), cookieName, ...stored };
    return { change: { kind: 'registered', client }, secret };
  }

  private stored(secret: string): NewSecret {
    return { ...this.hasher.hash(secret), hint: hintOf(secret) };
  }
}

type ValidJudgement = Extract<Judgement, { valid: true }>;

/** @param faults that the judgement does not know of @throws {InvalidClientError} */
function validOf(judgement: Judgement, faults: readonly Problem[] = []): ValidJudgement {
  if (!judgement.valid) throw new InvalidClientError([...judgement.problems, ...faults]);
  if (faults.length > 0) throw new InvalidClientError(faults);
  return judgement;
}

/** @throws {InvalidClientError} */
function updated(before: StoredClient, judgement: Judgement): PlannedChange | undefined {
  const valid = validOf(judgement);
  const { metadata } = valid;
  if (isDeepStrictEqual(metadata, before.metadata)) return undefined;
  return { kind: 'updated', before, metadata, warnings: codesOf(valid.warnings) };
}
