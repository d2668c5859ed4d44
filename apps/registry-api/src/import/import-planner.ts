import { Injectable } from '@nestjs/common';
import type { Violation } from '@svc/client-metadata';
import { ChangePlanner } from '../clients/change-planner.js';
import { type PlannedChange, PENDING, stateAfter } from '../clients/planned-change.js';
import type { StoredClient } from '../clients/stored-client.js';
import { isJsonObject } from '../http/is-json-object.js';

/** What follows for a Client from its record. */
export interface PlannedRecord {
  /** One after the other; each builds on the state that the one before leads to. */
  readonly changes: readonly PlannedChange[];
  /** Of a new Client. */
  readonly secret?: string | undefined;
}

/** Plans what makes a Client as its record says, by the validation that every other change goes through. */
@Injectable()
export class ImportPlanner {
  constructor(private readonly planner: ChangePlanner) {}

  /**
   * @param before the Client of the record's id, where there is one
   * @throws {InvalidClientError}
   */
  plan(record: unknown, before: StoredClient | undefined, at: Date): PlannedRecord {
    const { change, secret } = this.planner.takeRecord(record, before, ownViolations(record));
    const changes = change ? [change] : [];
    const enabled = membersOf(record)['enabled'];
    if (typeof enabled !== 'boolean') return { changes, secret };
    const after = change ? stateAfter(change, PENDING, at) : before;
    const turn = after && this.planner.turn(after, enabled);
    return { changes: turn ? [...changes, turn] : changes, secret };
  }
}

/** Which Client a record is of; nothing when it does not say, or says it in a way that is refused. */
export function clientIdIn(record: unknown): string | undefined {
  const { client_id: clientId, preferred_client_id: preferred } = membersOf(record);
  const named = clientId ?? preferred;
  return typeof named === 'string' ? named : undefined;
}

/** What an import asks of a record beyond the metadata. */
function ownViolations(record: unknown): Violation[] {
  const { client_id: clientId, preferred_client_id: preferred, enabled } = membersOf(record);
  const violations: Violation[] = [];
  if (isJsonObject(record) && (clientId ?? preferred ?? undefined) === undefined) {
    violations.push({ field: '/client_id', code: 'required', message: 'client_id is required in an import' });
  }
  if ((enabled ?? undefined) !== undefined && typeof enabled !== 'boolean') {
    violations.push({ field: '/enabled', code: 'type', message: 'enabled must be true or false' });
  }
  return violations;
}

function membersOf(record: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(record) ? record : {};
}
