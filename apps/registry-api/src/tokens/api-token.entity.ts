import type { ClientSelector } from '@svc/client-metadata';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Scope } from './scopes.js';

/** An API token, without its value. */
@Entity('api_token')
export class ApiToken {
  /** Public: appears in logs and in the history. */
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id!: string;

  @Column({ type: 'text' })
  name!: string;

  /**
   * SHA-256 of the value; that has 256 bits of entropy, so a slow hash would add nothing. A revoked token has the
   * SHA-256 of this hash, so that its value no longer finds it. See `hashTokenValue` for restricted tokens.
   */
  @Index('api_token_by_hash', { unique: true })
  @Column({ type: 'bytea' })
  hash!: Buffer;

  @Column({ type: 'text', array: true })
  scopes!: Scope[];

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  /** Id of the token that made it, `oidc:` and a subject, or `shell`; null for the bootstrap token. */
  @Index('api_token_by_maker')
  @Column({ name: 'created_by', type: 'text', nullable: true })
  createdBy!: string | null;

  /** `iss` of the access token that created it; null when an API token did. */
  @Column({ type: 'text', nullable: true })
  issuer!: string | null;

  /** `sub` of that access token. */
  @Column({ type: 'text', nullable: true })
  subject!: string | null;

  /** Whether a user of an issuer created it who reached only some Clients. */
  @Column({ name: 'by_restricted_user', type: 'boolean', default: false })
  byRestrictedUser!: boolean;

  /** Null: never. */
  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3, nullable: true })
  expiresAt!: Date | null;

  /** Null: it was not revoked. */
  @Column({ name: 'revoked_at', type: 'timestamptz', precision: 3, nullable: true })
  revokedAt!: Date | null;

  /** Known to the minute. */
  @Column({ name: 'last_used_at', type: 'timestamptz', precision: 3, nullable: true })
  lastUsedAt!: Date | null;

  /** The Clients that it reaches; null: all. */
  @Column({ type: 'jsonb', nullable: true })
  selector!: ClientSelector | null;

  /** Addresses and CIDR blocks from which it may be used; null: any. */
  @Column({ type: 'text', array: true, nullable: true })
  networks!: readonly string[] | null;

  /** How many requests may use it; null: any number. */
  @Column({ name: 'max_uses', type: 'integer', nullable: true })
  maxUses!: number | null;

  /** How many have, if there is a limit. */
  @Column({ type: 'integer', default: 0 })
  uses!: number;

  /** How many Clients developers may register with it; null: any number. */
  @Column({ name: 'max_registrations', type: 'integer', nullable: true })
  maxRegistrations!: number | null;

  /** How many on one day (UTC); null: any number. */
  @Column({ name: 'registrations_per_day', type: 'integer', nullable: true })
  registrationsPerDay!: number | null;

  /** How many they have. */
  @Column({ type: 'integer', default: 0 })
  registrations!: number;

  /** The day of the last one, such as 2026-11-24. */
  @Column({ name: 'registration_day', type: 'text', nullable: true })
  registrationDay!: string | null;

  /** How many there were on that day. */
  @Column({ name: 'registrations_on_day', type: 'integer', default: 0 })
  registrationsOnDay!: number;

  /** Whether its expiry is in the record of security events. */
  @Column({ name: 'expiry_recorded', type: 'boolean', default: false })
  expiryRecorded!: boolean;
}
