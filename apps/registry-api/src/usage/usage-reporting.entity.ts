import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A batch that was counted, remembered so that a repeated one is not counted again. */
@Entity('usage_batch')
export class UsageBatchRow {
  /** Id of the reporter's token; empty: this registry's own. */
  @PrimaryColumn({ name: 'actor_id', type: 'text', collation: 'C' })
  actorId!: string;

  @PrimaryColumn({ name: 'batch_id', type: 'text', collation: 'C' })
  batchId!: string;

  @Index('usage_batch_by_age')
  @Column({ type: 'timestamptz', precision: 3 })
  at!: Date;
}

/** A process that counts uses and has not ended, as far as is known. */
@Entity('usage_reporter')
export class UsageReporterRow {
  @PrimaryColumn({ name: 'actor_id', type: 'text', collation: 'C' })
  actorId!: string;

  @PrimaryColumn({ type: 'text', collation: 'C' })
  id!: string;

  /** The Clients that it reports on: a selector as JSON. */
  @Column({ type: 'text' })
  scope!: string;

  /** The end of its last interval. */
  @Column({ name: 'reported_to', type: 'timestamptz', precision: 3 })
  reportedTo!: Date;
}

/** A day (UTC) whose counts are incomplete. */
@Entity('usage_gap')
export class UsageGap {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  day!: string;

  /** Which Clients it reports about: a selector as JSON. */
  @PrimaryColumn({ type: 'text', collation: 'C' })
  scope!: string;
}

/** Since when, and until when, registries have counted uses. One row. */
@Entity('usage_recording')
export class UsageRecording {
  @PrimaryColumn({ type: 'smallint' })
  id!: number;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  since!: Date | null;

  @Column({ name: 'recorded_to', type: 'timestamptz', precision: 3, nullable: true })
  recordedTo!: Date | null;
}
