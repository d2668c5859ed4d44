import type { ClientSelector } from '@svc/client-metadata';
import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  type Relation,
} from 'typeorm';
import type { FieldChange } from '../history/history.dto.js';

export const JOB_ACTIONS = ['enable', 'disable', 'delete', 'patch', 'fix', 'undo'] as const;
export type JobAction = (typeof JOB_ACTIONS)[number];

/** A job is `collecting` the Clients that match, then `running` through them; the other states are final. */
export const JOB_STATES = ['collecting', 'running', 'finished', 'cancelled', 'failed'] as const;
export type JobState = (typeof JOB_STATES)[number];

export const JOB_RESULTS = ['pending', 'changed', 'unchanged', 'failed'] as const;
export type JobResultKind = (typeof JOB_RESULTS)[number];

/** Why a job or one of its changes failed. */
export interface StoredProblem {
  readonly error: string;
  readonly detail: string;
}

/** One change of many Clients, carried out in the background. */
@Entity('client_job')
@Index('client_job_open', ['workedAt'], { where: 'finished_at IS NULL' })
export class ClientJob {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column({ type: 'text' })
  action!: JobAction;

  /** The code of the warning to fix. */
  @Column({ type: 'text', nullable: true })
  warning!: string | null;

  /** A JSON Merge Patch. */
  @Column({ type: 'jsonb', nullable: true })
  patch!: object | null;

  /** The filters of the list that it covers, by their names in a query. */
  @Column({ type: 'jsonb', nullable: true })
  filter!: object | null;

  /** Covers only these Clients. */
  @Column({ name: 'client_ids', type: 'text', array: true, nullable: true })
  clientIds!: string[] | null;

  /** The job fails if a different number of Clients matches. */
  @Column({ name: 'expected_total', type: 'integer', nullable: true })
  expectedTotal!: number | null;

  /** The job that it undoes. */
  @Index('client_job_undoing')
  @Column({ type: 'bigint', nullable: true })
  undoes!: string | null;

  @Column({ name: 'dry_run', type: 'boolean' })
  dryRun!: boolean;

  @Column({ type: 'text' })
  state!: JobState;

  @Column({ type: 'jsonb', nullable: true })
  problem!: StoredProblem | null;

  /** The position of the last change before the job: it skips Clients that changed later. */
  @Column({ type: 'text' })
  since!: string;

  /** The last Client found so far. */
  @Column({ name: 'found_until', type: 'text', collation: 'C', nullable: true })
  foundUntil!: string | null;

  @Column({ type: 'integer', default: 0 })
  total!: number;

  @Column({ type: 'integer', default: 0 })
  changed!: number;

  @Column({ type: 'integer', default: 0 })
  unchanged!: number;

  @Column({ type: 'integer', default: 0 })
  failed!: number;

  /** Steps that failed since the last one that succeeded. */
  @Column({ type: 'integer', default: 0 })
  attempts!: number;

  /** Id of the token that started it. */
  @Column({ name: 'actor_id', type: 'text' })
  actorId!: string;

  /** That token's name at the time. */
  @Column({ name: 'actor_name', type: 'text' })
  actorName!: string;

  @Column({ type: 'text' })
  address!: string;

  /** `iss` of the access token that started it; null for an API token. */
  @Column({ type: 'text', nullable: true })
  issuer!: string | null;

  /** The Clients that this token reached. */
  @Column({ type: 'jsonb' })
  selector!: ClientSelector;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  /** When a step last ended, by the database's clock, which all replicas share: jobs take turns. */
  @Column({ name: 'worked_at', type: 'timestamptz', precision: 3 })
  workedAt!: Date;

  @Index('client_job_finished')
  @Column({ name: 'finished_at', type: 'timestamptz', precision: 3, nullable: true })
  finishedAt!: Date | null;
}

/** One Client of a job, and its result. */
@Entity('client_job_item')
export class ClientJobItem {
  @PrimaryColumn({ name: 'job_id', type: 'bigint' })
  jobId!: string;

  @ManyToOne(() => ClientJob, { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn({ name: 'job_id', foreignKeyConstraintName: 'client_job_item_job_id_fkey' })
  job?: Relation<ClientJob>;

  /** From 0, in the order in which they are changed. */
  @PrimaryColumn({ type: 'integer' })
  position!: number;

  @Column({ name: 'client_id', type: 'text', collation: 'C' })
  clientId!: string;

  /** At the start; null if there was no such Client. */
  @Column({ name: 'client_name', type: 'text', nullable: true })
  clientName!: string | null;

  /** The job changes the Client only at this revision; null: not at all. */
  @Column({ type: 'text', nullable: true })
  revision!: string | null;

  /** Null: pending. */
  @Column({ type: 'text', nullable: true })
  result!: Exclude<JobResultKind, 'pending'> | null;

  @Column({ name: 'revision_after', type: 'text', nullable: true })
  revisionAfter!: string | null;

  @Column({ type: 'jsonb', nullable: true })
  problem!: StoredProblem | null;

  /** What a dry run found, for the first Clients that would change. */
  @Column({ type: 'jsonb', nullable: true })
  difference!: readonly FieldChange[] | null;
}
