import { Injectable } from '@nestjs/common';
import type { Violation } from '@svc/client-metadata';
import { isJsonObject } from '@svc/foundation';
import { ChangePlanner } from '../clients/change-planner.js';
import { type PlannedChange, PENDING, stateAfter } from '../clients/planned-change.js';
import type { Importer } from '../clients/client-managers.js';
import { ImportedSecrets } from './imported-secrets.js';
import type { StoredClient } from '../clients/stored-client.js';

/** The changes that a record requires. */
export interface PlannedRecord {
  /** In order; each builds on the state that the previous one leads to. */
  readonly changes: readonly PlannedChange[];
  /** The secret of a new Client. */
  readonly secret?: string | undefined;
}

/** Who imports, and with which rights. */
export interface RecordImporter extends Importer {
  readonly importsSecrets: boolean;
}

/** Plans the changes that make a Client match its record, with the same validation as every other change. */
@Injectable()
export class ImportPlanner {
  constructor(
    private readonly planner: ChangePlanner,
    private readonly secrets: ImportedSecrets,
  ) {}

  /**
   * @param before the existing Client with the record's id
   * @throws {InvalidClientError}
   * @throws {RegistryError} `scope_not_held`
   */
  plan(
    content: unknown,
    before: StoredClient | undefined,
    importer: RecordImporter,
    at: Date,
  ): PlannedRecord {
    const separated = this.secrets.separate(content, importer.importsSecrets, at);
    const { record } = separated;
    const violations = [...separated.violations, ...ownViolations(record)];
    const { change, secret } = this.planner.planImportRecord(
      ...([record, before, importer, violations, separated.secret] as const),
    );
    const changes = change ? [change] : [];
    const enabled = membersOf(record)['enabled'];
    if (typeof enabled !== 'boolean') return { changes, secret };
    const after = change ? stateAfter(change, PENDING, at) : before;
    const switched = after && this.planner.setEnabled(after, enabled);
    return { changes: switched ? [...changes, switched] : changes, secret };
  }
}

/** The client_id of a record, or else its preferred one; undefined unless that is a string. */
export function clientIdIn(record: unknown): string | undefined {
  const { client_id: clientId, preferred_client_id: preferred } = membersOf(record);
  const named = clientId ?? preferred;
  return typeof named === 'string' ? named : undefined;
}

/** Rules of imports beyond those of the metadata. */
function ownViolations(record: unknown): Violation[] {
  const { client_id: clientId, preferred_client_id: preferred } = membersOf(record);
  if (!isJsonObject(record) || (clientId ?? preferred ?? undefined) !== undefined) return [];
  return [{ field: '/client_id', code: 'required', message: 'client_id is required in an import' }];
}

function membersOf(record: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(record) ? record : {};
}
