import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { CLIENT_FIELDS, type ClientMetadata, selectsAll } from '@svc/client-metadata';
import { DataSource } from 'typeorm';
import { type Zones, ZONES } from '../audit/lookup-file.js';
import { CHANGE_COLUMNS, type ChangeRow, toChangeDocument } from '../changes/change.dto.js';
import { seenCondition, seesAfter, seesBefore } from '../changes/feed-view.js';
import { ClientsService } from '../clients/clients.service.js';
import { isClientId } from '../clients/credentials.js';
import { PreparedStatement, queryToRead } from '../database/prepared-statement.js';
import { StatementValues } from '../database/statement-values.js';
import type { Reach } from '../http/current-caller.js';
import type { FieldChange, HistoryEntry, HistoryPage } from './history.dto.js';

type HistoryRow = ChangeRow & {
  readonly before: ClientMetadata | null;
  readonly after: ClientMetadata | null;
};

/** `$1` client_id `$2` the change before which to begin, null for the latest `$3` limit */
const HISTORY = new PreparedStatement<HistoryRow>('client_history', historyOf('true'));

/** @param seen a condition on `client_change ch` */
function historyOf(seen: string): string {
  return `
    SELECT ${CHANGE_COLUMNS}, ch.before, ch.after FROM client_change ch
    WHERE ch.client_id = $1 AND ch.seq < coalesce($2::bigint, 9223372036854775807) AND ${seen}
    ORDER BY ch.seq DESC LIMIT $3`;
}

@Injectable()
export class HistoryService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clients: ClientsService,
    @Optional() @Inject(ZONES) private readonly zones?: Zones,
  ) {}

  /**
   * The history of a Client as far as it is kept, even after the Client is deleted; for a caller that does not reach all
   * Clients only while it reached this one.
   *
   * @param before the change before which to begin
   * @throws {RegistryError} `client_not_found` when there is neither history nor Client
   */
  async of(clientId: string, reach: Reach, limit: number, before?: number): Promise<HistoryPage> {
    const values = [clientId, before ?? null, limit + 1];
    const found = isClientId(clientId) ? await this.read(values, reach) : [];
    if (found.length === 0 && before === undefined) await this.clients.find(clientId, reach);
    const changes = found.slice(0, limit).map((row) => this.toEntry(row, reach));
    const next = found.length > limit ? changes.at(-1)?.seq : undefined;
    return next === undefined ? { changes } : { changes, next };
  }

  private async read(given: readonly unknown[], { id, selector }: Reach): Promise<HistoryRow[]> {
    if (selectsAll(selector)) return HISTORY.run(this.dataSource, given);
    const values = StatementValues.of(given);
    const text = historyOf(seenCondition(selector, values));
    return queryToRead(this.dataSource, 'client_history_seen', text, values.list, id);
  }

  private toEntry(row: HistoryRow, { selector }: Reach): HistoryEntry {
    const change = toChangeDocument(row);
    const zone = this.zones?.zoneOf(change.actor.address);
    const actor = { ...change.actor, ...(zone && { zone }) };
    // Where a Client came into reach or left it, the state on the other side is not shown.
    const before = seesBefore(selector, row) ? row.before : null;
    const after = seesAfter(selector, row) ? row.after : null;
    return { ...change, actor, changed: metadataDifference(before, after) };
  }
}

/** The fields that differ, in the order of the metadata table; those that it no longer has at the end. */
export function metadataDifference(
  before: ClientMetadata | null,
  after: ClientMetadata | null,
): FieldChange[] {
  const from = new Map(Object.entries(before ?? {}));
  const to = new Map(Object.entries(after ?? {}));
  const names = new Set([...CLIENT_FIELDS.map(({ name }) => name), ...from.keys(), ...to.keys()]);
  return [...names]
    .filter((field) => !isDeepStrictEqual(from.get(field), to.get(field)))
    .map((field) => ({
      field,
      ...(from.has(field) && { before: from.get(field) }),
      ...(to.has(field) && { after: to.get(field) }),
    }));
}
