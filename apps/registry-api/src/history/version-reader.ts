import { Injectable } from '@nestjs/common';
import { type ClientMetadata, metadataNames, quote, type TemporaryUri } from '@svc/client-metadata';
import { DataSource } from 'typeorm';
import { CHANGE_COLUMNS, type ChangeRow, toChangeDocument } from '../changes/change.dto.js';
import { seesAfter } from '../changes/feed-view.js';
import { isClientId } from '../clients/credentials.js';
import { PreparedStatement } from '../database/prepared-statement.js';
import { RegistryError } from '../errors/registry-error.js';
import type { Reach } from '../http/current-caller.js';
import type { HistoryVersion } from './history.dto.js';

type VersionRow = ChangeRow & {
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** The redirect URIs that had an end. */
  readonly temporary: readonly TemporaryUri[] | null;
};

/**
 * `$1` client_id `$2` number of the change. Where a change leaves the metadata as it is, the version is that of the previous
 * change of metadata, or if that is no longer kept, of the next one. A former Client with the same id had URIs of its own.
 */
const VERSION = new PreparedStatement<VersionRow>(
  'client_version',
  `SELECT ${CHANGE_COLUMNS}, coalesce(
       CASE WHEN ch.kind = 'deleted' THEN ch.before ELSE ch.after END,
       (SELECT p.after FROM client_change p WHERE p.client_id = $1 AND p.seq < $2::bigint AND p.after IS NOT NULL
        ORDER BY p.seq DESC LIMIT 1),
       (SELECT n.before FROM client_change n WHERE n.client_id = $1 AND n.seq > $2::bigint AND n.before IS NOT NULL
        ORDER BY n.seq LIMIT 1),
       (SELECT c.metadata FROM client c WHERE c.client_id = $1)
     ) AS metadata,
     (SELECT t.after->'temporary_redirect_uris' FROM client_change t
      WHERE t.client_id = $1 AND t.seq <= $2::bigint
        AND t.seq >= coalesce((SELECT max(r.seq) FROM client_change r
                               WHERE r.client_id = $1 AND r.seq <= $2::bigint AND r.kind = 'registered'), 0)
        AND (t.before ? 'temporary_redirect_uris' OR t.after ? 'temporary_redirect_uris')
      ORDER BY t.seq DESC LIMIT 1) AS temporary
   FROM client_change ch WHERE ch.client_id = $1 AND ch.seq = $2::bigint`,
);

const CHANGE_NUMBER = /^\d{1,15}$/;

/** The metadata of a Client after one of its changes, deleted Clients included. */
@Injectable()
export class VersionReader {
  constructor(private readonly dataSource: DataSource) {}

  /** @throws {RegistryError} `version_not_found`, also where the caller did not reach the Client */
  async read(clientId: string, seq: string, { selector }: Reach): Promise<HistoryVersion> {
    const isPossible = isClientId(clientId) && CHANGE_NUMBER.test(seq);
    const [row] = isPossible ? await VERSION.run(this.dataSource, [clientId, seq]) : [];
    if (!row?.metadata || !seesAfter(selector, row)) throw versionNotFound(clientId, seq);
    return { ...toChangeDocument(row), metadata: editableIn(row.metadata, row.temporary ?? []) };
  }
}

/** The members that a request may contain, in the order of the metadata table. */
function editableIn(
  metadata: Readonly<Record<string, unknown>>,
  temporary: readonly TemporaryUri[],
): Partial<ClientMetadata> {
  const ended = new Set<unknown>(temporary.map(({ redirect_uri: uri }) => uri));
  const kept = metadataNames(metadata).map((name) => [name, metadata[name]]);
  const editable = Object.fromEntries(kept) as Partial<ClientMetadata>;
  const { redirect_uris: uris } = editable;
  return uris ? { ...editable, redirect_uris: uris.filter((uri) => !ended.has(uri)) } : editable;
}

function versionNotFound(clientId: string, seq: string): RegistryError {
  return new RegistryError(
    'version_not_found',
    `the history of ${quote(clientId)} has no change ${quote(seq)}; list it for the changes that are kept`,
  );
}
