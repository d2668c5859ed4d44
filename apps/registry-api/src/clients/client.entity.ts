import type { ClientMetadata, TemporaryUri } from '@svc/client-metadata';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A registered Client. */
@Entity('client')
@Index('client_by_age', ['createdAt', 'clientId'])
@Index('client_by_update', ['updatedAt', 'clientId'])
@Index('client_by_name', ['nameKey', 'clientId'])
@Index('client_facet_by_age', ['facet', 'createdAt', 'clientId'])
@Index('client_facet_by_update', ['facet', 'updatedAt', 'clientId'])
@Index('client_facet_by_name', ['facet', 'nameKey', 'clientId'])
@Index('client_facet_by_id', ['facet', 'clientId'])
// Of trigrams, which TypeORM cannot describe.
@Index('client_by_text', { synchronize: false })
// A GIN index of label paths, which TypeORM cannot describe either.
@Index('client_by_labels', { synchronize: false })
@Index('client_by_manager', ['managedBy', 'clientId'])
@Index('client_pending', ['createdAt', 'clientId'], { where: 'pending' })
@Index('client_with_temporary_uris', ['clientId'], { where: 'temporary_uris IS NOT NULL' })
@Index('client_with_cookies', ['clientId'], {
  where: `metadata ?| ARRAY['cookie_entry_uri', 'cookie_webhook_uri', 'cookie_domain']`,
})
export class Client {
  @PrimaryColumn({ name: 'client_id', type: 'text', collation: 'C' })
  clientId!: string;

  /** Everything editable, after validation: defaults are filled in. */
  @Column({ type: 'jsonb' })
  metadata!: ClientMetadata;

  /** The temporary redirect URIs; null: none. */
  @Column({ name: 'temporary_uris', type: 'jsonb', nullable: true })
  temporaryUris!: TemporaryUri[] | null;

  /** Derived from the client_id at registration; it stays the same when the configured prefix changes. */
  @Column({ name: 'cookie_name', type: 'text' })
  cookieName!: string;

  /** Sequence number of the last change, a bigint. */
  @Column({ type: 'bigint' })
  seq!: string;

  /** Random mark of the last change. */
  @Column({ type: 'text', default: '' })
  mark!: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt!: Date;

  /** A disabled Client fails every check, until it is enabled again. */
  @Column({ type: 'boolean', default: true })
  enabled!: boolean;

  /** A disabled Client from open registration that no administrator has enabled yet. A trigger resets it. */
  @Column({ type: 'boolean', default: false })
  pending!: boolean;

  /** When it was restored, or its approval undone, so that it awaits approval again; null: it was not. */
  @Column({ name: 'pending_since', type: 'timestamptz', precision: 3, nullable: true })
  pendingSince!: Date | null;

  /** When it was disabled because it was unused; null: it was not. A trigger resets it when the Client is enabled. */
  @Column({ name: 'unused_at', type: 'timestamptz', precision: 3, nullable: true })
  unusedAt!: Date | null;

  /** Distinct codes of the metadata's warnings; null on rows older than the column until they are computed. */
  @Column({ type: 'text', array: true, nullable: true })
  warnings!: string[] | null;

  /** The labels of the metadata, maintained by a trigger: cheaper to test and to index there. */
  @Column({ type: 'jsonb' })
  labels!: Record<string, string>;

  /** `users`, `developers`, `import` or `set:<name>`; null on rows older than the column. */
  @Column({ name: 'managed_by', type: 'text', collation: 'C', nullable: true })
  managedBy!: string | null;

  /** Id of the token that registered it; null on rows older than the column. */
  @Column({ name: 'registered_by', type: 'text', nullable: true })
  registeredBy!: string | null;

  /** That token's name at the time. */
  @Column({ name: 'registered_by_name', type: 'text', nullable: true })
  registeredByName!: string | null;

  /** The name in lower case, which lists sort by. A trigger maintains this column and the facet. */
  @Column({ name: 'name_key', type: 'text', collation: 'C' })
  nameKey!: string;

  /** What searches match, from `searchTextOf`. */
  @Column({ name: 'search_text', type: 'text', collation: 'C' })
  searchText!: string;

  /** Identifies the Client's combination of values of all filterable fields. */
  @Column({ type: 'bigint' })
  facet!: string;
}
