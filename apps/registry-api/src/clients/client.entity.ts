import type { ClientMetadata } from '@svc/client-metadata';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A registered Client. */
@Entity('client')
@Index('client_by_age', ['createdAt', 'clientId'])
@Index('client_with_cookies', ['clientId'], {
  where: `metadata ?| ARRAY['cookie_entry_uri', 'cookie_webhook_uri', 'cookie_domain']`,
})
export class Client {
  @PrimaryColumn({ name: 'client_id', type: 'text', collation: 'C' })
  clientId!: string;

  /** All that can be edited, as the judge left it: defaults are filled in. */
  @Column({ type: 'jsonb' })
  metadata!: ClientMetadata;

  /** Made from the client_id at registration; it stays as it is when the configured prefix changes. */
  @Column({ name: 'cookie_name', type: 'text' })
  cookieName!: string;

  /** Sequence number of the last change. A bigint, which JavaScript's numbers do not hold. */
  @Column({ type: 'bigint' })
  seq!: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt!: Date;
}
