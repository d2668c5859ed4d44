import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import { Client } from './client.entity.js';

/** A stored client_secret: never its value. */
@Entity('client_secret')
@Index('client_secret_ending', ['expiresAt', 'clientId'], { where: 'expires_at IS NOT NULL' })
@Index('client_secret_unused', ['clientId'], { where: 'last_used_at IS NULL' })
export class ClientSecret {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @ManyToOne(() => Client, { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn({ name: 'client_id', foreignKeyConstraintName: 'client_secret_client_id_fkey' })
  client?: Relation<Client>;

  @Index('client_secret_by_client')
  @Column({ name: 'client_id', type: 'text', collation: 'C' })
  clientId!: string;

  /** HMAC-SHA-256 of the value under the pepper; zeros while there is a foreign hash. */
  @Column({ type: 'bytea' })
  hash!: Buffer;

  /** Which pepper the hash was made with, so that peppers can be rotated. */
  @Column({ name: 'pepper_id', type: 'text' })
  pepperId!: string;

  /** The value's last 4 characters. */
  @Column({ type: 'text' })
  hint!: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  /** Null: never. */
  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3, nullable: true })
  expiresAt!: Date | null;

  /** Time of the last successful check, to the hour; null: never. */
  @Column({ name: 'last_used_at', type: 'timestamptz', precision: 3, nullable: true })
  lastUsedAt!: Date | null;

  /** When the change feed announced that it expires soon; null: not yet. */
  @Column({ name: 'announced_at', type: 'timestamptz', precision: 3, nullable: true })
  announcedAt!: Date | null;

  /** Whether it was imported; otherwise the registry generated it. */
  @Column({ type: 'boolean', default: false })
  imported!: boolean;

  /** The hash of another product, until a check replaces it; null: none. */
  @Column({ name: 'foreign_hash', type: 'text', nullable: true })
  foreignHash!: string | null;

  /** What the foreign hash was made with, such as `bcrypt`. */
  @Column({ name: 'foreign_scheme', type: 'text', nullable: true })
  foreignScheme!: string | null;

  /** When the foreign hash ends; null exactly if there is none. */
  @Column({ name: 'foreign_until', type: 'timestamptz', precision: 3, nullable: true })
  foreignUntil!: Date | null;
}
