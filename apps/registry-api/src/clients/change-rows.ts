import { isDeepStrictEqual } from 'node:util';
import type { TemporaryUri } from '@svc/client-metadata';
import { EventLoopYield } from '@svc/service-kit';
import { clientIdOf, type NewSecret, type PlannedChange } from './planned-change.js';
import { searchTextOf } from './search-text.js';
import { currentTemporaryUris } from './temporary-uris.js';

/**
 * What the statement for changes of one kind reads, as JSON in UTF-8. Folding and encoding the texts of a thousand Clients
 * takes seconds, and copying them takes a tenth of a second, so other requests are served in between; pg would encode one
 * large string at once, then copy it again.
 */
export async function rowsOf(changes: readonly PlannedChange[]): Promise<Buffer> {
  if (changes.length === 1) return Buffer.from(JSON.stringify(changes.map(toRow)));
  const pause = new EventLoopYield();
  const rows: Buffer[] = [];
  for (const change of changes) {
    await pause.ifDue();
    rows.push(Buffer.from(`${rows.length === 0 ? '[' : ','}${JSON.stringify(toRow(change))}`));
  }
  await pause.ifDue();
  const all = Buffer.concat([...rows, Buffer.from(']')]);
  await pause.ifDue();
  return all;
}

/** What the statement for this kind of change reads. */
function toRow(change: PlannedChange): Record<string, unknown> {
  const row = {
    client_id: clientIdOf(change),
    ...('before' in change && { revision: change.before.revision }),
  };
  switch (change.kind) {
    case 'registered':
      return {
        ...row,
        ...registeredColumns(change.client),
        ...(change.replaces && { replaces: change.replaces.revision }),
      };
    case 'updated':
      return {
        ...row,
        metadata: change.metadata,
        search_text: searchTextOf(row.client_id, change.metadata),
        warnings: change.warnings,
        // The history includes the manager only if it changed.
        before: {
          ...change.before.metadata,
          ...(change.managedBy && change.before.managedBy && { managed_by: change.before.managedBy }),
          ...temporaryMembers(change, change.before.temporaryUris),
        },
        temporary_uris: change.temporaryUris,
        after_more: temporaryMembers(change, change.temporaryUris),
        ...(change.managedBy && { managed_by: change.managedBy }),
        ...(change.secret !== undefined && { replaces_secrets: true, ...secretColumns(change.secret) }),
      };
    case 'secret_rotated':
      return { ...row, ...secretColumns(change.secret), former_until: change.formerUntil };
    case 'restored': {
      const { metadata, warnings } = change.before;
      return { ...row, warnings, search_text: searchTextOf(row.client_id, metadata) };
    }
    case 'disabled':
      return {
        ...row,
        ...(change.isUnused && { unused: true }),
        ...(change.isPending && { pending: true }),
      };
    case 'enabled':
    case 'deleted':
      return row;
  }
}

function registeredColumns(client: Extract<PlannedChange, { kind: 'registered' }>['client']) {
  const { clientId, metadata, warnings, cookieName, managedBy, secret, registration, isPending } = client;
  return {
    metadata,
    warnings,
    cookie_name: cookieName,
    managed_by: managedBy,
    search_text: searchTextOf(clientId, metadata),
    ...secretColumns(secret),
    token_hash: registration?.tokenHash.toString('base64'),
    token_expires_at: registration?.expiresAt,
    ...(isPending && { pending: true }),
  };
}

/** In the history only where they change. */
function temporaryMembers(
  { before, temporaryUris }: Extract<PlannedChange, { kind: 'updated' }>,
  uris: readonly TemporaryUri[] | null,
): Record<string, unknown> {
  const isChanged = !isDeepStrictEqual(currentTemporaryUris(before), temporaryUris);
  return isChanged && uris ? { temporary_redirect_uris: uris } : {};
}

function secretColumns(secret: NewSecret | null | undefined) {
  if (!secret) return {};
  const { hash, pepperId, hint, expiresAt, isImported, foreign } = secret;
  return {
    ...{ hash: hash.toString('base64'), pepper_id: pepperId, hint, expires_at: expiresAt },
    ...(isImported && { imported: true }),
    ...(foreign && {
      foreign_hash: foreign.hash,
      foreign_scheme: foreign.scheme,
      foreign_until: foreign.until,
    }),
  };
}
