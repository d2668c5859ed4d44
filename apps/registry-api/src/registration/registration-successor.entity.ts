import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { ClientRegistration } from './client-registration.entity.js';

/** A registration access token issued since the one in use; its first use makes it that one. */
@Entity('client_registration_successor')
export class RegistrationSuccessor {
  /** SHA-256, as of the token in use. */
  @PrimaryColumn({ name: 'token_hash', type: 'bytea' })
  tokenHash!: Buffer;

  @ManyToOne(() => ClientRegistration, { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn({ name: 'client_id', foreignKeyConstraintName: 'client_registration_successor_client_id_fkey' })
  registration?: Relation<ClientRegistration>;

  @Index('client_registration_successor_by_client')
  @Column({ name: 'client_id', type: 'text', collation: 'C' })
  clientId!: string;

  /** Increases with each token issued. */
  @Column({ type: 'bigint', generated: 'identity', generatedIdentity: 'ALWAYS' })
  number!: string;

  /** Null: never. */
  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3, nullable: true })
  expiresAt!: Date | null;
}
