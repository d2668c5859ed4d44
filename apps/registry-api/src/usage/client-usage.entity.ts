import type { ClientUse } from '@svc/client-metadata';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Client } from '../clients/client.entity.js';

/** How often a Client was used in one way, on one day or in one month. */
@Entity('client_usage')
@Index('client_usage_by_period', ['period', 'clientId'])
export class ClientUsage {
  @PrimaryColumn({ name: 'client_id', type: 'text', collation: 'C' })
  clientId!: string;

  @ManyToOne(() => Client, { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn({ name: 'client_id', foreignKeyConstraintName: 'client_usage_client_id_fkey' })
  client?: Relation<Client>;

  /** A day (2026-11-24) or, of old counts, a month (2026-11), in UTC. */
  @PrimaryColumn({ type: 'text', collation: 'C' })
  period!: string;

  /** SHA-256 of `use`. */
  @PrimaryColumn({ type: 'bytea' })
  key!: Buffer;

  @Column({ type: 'jsonb' })
  use!: ClientUse;

  @Column({ type: 'bigint' })
  count!: string;

  @Column({ name: 'first_at', type: 'timestamptz', precision: 3 })
  firstAt!: Date;

  @Column({ name: 'last_at', type: 'timestamptz', precision: 3 })
  lastAt!: Date;
}

/** When a Client was last used; no row if never since recording began. */
@Entity('client_last_use')
export class ClientLastUse {
  @PrimaryColumn({ name: 'client_id', type: 'text', collation: 'C' })
  clientId!: string;

  @ManyToOne(() => Client, { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn({ name: 'client_id', foreignKeyConstraintName: 'client_last_use_client_id_fkey' })
  client?: Relation<Client>;

  /** Time of the last request or secret that was accepted; null: none was. */
  @Column({ name: 'used_at', type: 'timestamptz', precision: 3, nullable: true })
  usedAt!: Date | null;

  /** Time of the last one that was refused; null: none was. */
  @Column({ name: 'refused_at', type: 'timestamptz', precision: 3, nullable: true })
  refusedAt!: Date | null;
}
