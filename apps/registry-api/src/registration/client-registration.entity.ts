import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Client } from '../clients/client.entity.js';

/** The registration access token of a client that a developer registered. */
@Entity('client_registration')
export class ClientRegistration {
  @PrimaryColumn({ name: 'client_id', type: 'text', collation: 'C' })
  clientId!: string;

  @OneToOne(() => Client, { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn({ name: 'client_id', foreignKeyConstraintName: 'client_registration_client_id_fkey' })
  client?: Relation<Client>;

  /** SHA-256 of the registration access token; that has 256 bits of entropy, so a slow hash would add nothing. */
  @Column({ name: 'token_hash', type: 'bytea' })
  tokenHash!: Buffer;

  /** Null: never. */
  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3, nullable: true })
  expiresAt!: Date | null;

  /** The expiry that is in the record of security events; null: none yet. */
  @Column({ name: 'recorded_expiry', type: 'timestamptz', precision: 3, nullable: true })
  recordedExpiry!: Date | null;
}
