import { Injectable } from '@nestjs/common';
import { secretExpiryViolation, type Violation } from '@svc/client-metadata';
import { isJsonObject } from '@svc/foundation';
import { hintOf } from '../clients/credentials.js';
import type { NewSecret } from '../clients/planned-change.js';
import { ForeignHashError, parseForeignHash } from '../foreign-hashes/parse-foreign-hash.js';
import { SecretHasher } from '../secrets/secret-hasher.js';
import { weaknessOf } from '../secrets/weak-secret.js';
import { RegistrySettings } from '../settings/registry-settings.js';
import { secretsNotPermitted } from './import.errors.js';

/** A record without its secret, and the secret. */
export interface SeparatedRecord {
  readonly record: unknown;
  readonly secret?: NewSecret | undefined;
  readonly violations: readonly Violation[];
}

/** What a record may contain of its secret. */
const FIELDS = ['client_secret', 'client_secret_hash'] as const;

type SecretField = (typeof FIELDS)[number];

/**
 * A foreign hash has no hash of ours yet. Its pepper is never configured, so it matches nothing, not even in earlier versions.
 */
const NO_HASH = { hash: Buffer.alloc(32), pepperId: 'foreign' };

/** The last second of the year 9999, since 1970. Other products export the largest number that they know for never. */
const LAST_SECOND = 253_402_300_799;

/** Reads the secrets that imports contain. No message contains one. */
@Injectable()
export class ImportedSecrets {
  constructor(
    private readonly hasher: SecretHasher,
    private readonly settings: RegistrySettings,
  ) {}

  /**
   * @param isPermitted whether the caller may import secrets
   * @throws {RegistryError} `scope_not_held`
   */
  separate(record: unknown, isPermitted: boolean, at: Date): SeparatedRecord {
    if (!isJsonObject(record)) return { record, violations: [] };
    const given = FIELDS.filter((field) => (record[field] ?? undefined) !== undefined);
    if (given.length === 0) return { record, violations: [] };
    const { client_secret: secret, client_secret_hash: hash, ...rest } = record;
    const refused = (violations: readonly Violation[]) => ({ record: rest, violations });
    const { importMaxSeconds } = this.settings.secrets;
    if (importMaxSeconds === undefined) return refused(given.map(notAllowed));
    if (!isPermitted) throw secretsNotPermitted();
    if (given.length > 1) {
      return refused([violation('client_secret_hash', 'combination', 'cannot be given with client_secret')]);
    }
    const expiry = rest['client_secret_expires_at'];
    const unreadable = secretExpiryViolation(expiry);
    if (unreadable) return refused([unreadable]);
    const expiresAt = this.expiryOf(expiry, at);
    if (expiresAt !== null && expiresAt <= at) {
      const field = '/client_secret_expires_at';
      return refused([{ field, code: 'expired', message: `${field.slice(1)} has passed` }]);
    }
    const read = given.includes('client_secret')
      ? this.plain(secret)
      : foreign(hash, new Date(at.getTime() + importMaxSeconds * 1000));
    if ('field' in read) return refused([read]);
    return { record: rest, secret: { ...read, expiresAt, isImported: true }, violations: [] };
  }

  private plain(secret: unknown): Pick<NewSecret, 'hash' | 'pepperId' | 'hint'> | Violation {
    const weakness = typeof secret === 'string' ? weaknessOf(secret) : 'must be a string';
    if (typeof secret !== 'string' || weakness !== undefined) {
      return violation('client_secret', 'weak_secret', weakness ?? '');
    }
    return { ...this.hasher.hash(secret), hint: hintOf(secret) };
  }

  /** @param given seconds since 1970; 0, or too late to be a time: as late as this registry allows (RFC 7591 section 3.2.1) */
  private expiryOf(given: unknown, at: Date): Date | null {
    const latest = this.settings.secrets.expiryFrom(at);
    if (typeof given !== 'number' || given === 0 || given > LAST_SECOND) return latest;
    const wanted = new Date(given * 1000);
    return latest && latest < wanted ? latest : wanted;
  }
}

function foreign(hash: unknown, until: Date): Omit<NewSecret, 'expiresAt'> | Violation {
  if (typeof hash !== 'string') return violation('client_secret_hash', 'type', 'must be a string');
  try {
    const { scheme } = parseForeignHash(hash);
    return { ...NO_HASH, hint: '', foreign: { hash, scheme, until } };
  } catch (error) {
    if (!(error instanceof ForeignHashError)) throw error;
    return violation('client_secret_hash', 'hash', error.message);
  }
}

function notAllowed(field: SecretField): Violation {
  const message = 'cannot be imported: this registry generates client secrets (SECRET_IMPORT is off)';
  return violation(field, 'server_owned', message);
}

function violation(field: SecretField, code: string, message: string): Violation {
  return { field: `/${field}`, code, message: `${field} ${message}` };
}
