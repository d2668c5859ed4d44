import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { SharedPlaces } from '@svc/service-kit';
import { DataSource } from 'typeorm';
import { ClientStore } from '../clients/client.store.js';
import { isConflictError } from '../database/database-errors.js';
import { PreparedStatement } from '../database/prepared-statement.js';
import { RESPONSE_TIMEOUT_MS, setResponseTimeout } from '../database/response-timeout.js';
import { inTransaction, type Transaction } from '../database/transaction.js';
import { hasErrorCode } from '../errors/registry-error.js';
import type { Caller } from '../http/current-caller.js';
import { actorOf } from '../security-events/security-event.js';
import { SecurityEvents } from '../security-events/security-events.js';
import { readLines, spoolBody } from './import-body.js';
import { ImportPlanner } from './import-planner.js';
import type { ImportReport } from './import-report.js';
import { ImportRun } from './import-run.js';
import type { ImportOptions } from './import.dto.js';
import { importAbandoned, importUnderWay } from './import.errors.js';

/** Clients stored by one statement. */
const BATCH = 200;

/** Bodies that a process accepts at a time, each of up to 100 MiB on disk: one is imported, others wait or are rejected. */
const PLACES = {
  name: 'imports',
  total: 4,
  perToken: 2,
  perAddress: 3,
  remedy: 'try again when one has finished',
};

/**
 * For this transaction only. Statements of an import may wait longer than others for concurrent changes of the same clients. The
 * tables grow with each batch, so a cached plan that scans a small table, in a statement or in the checks and triggers behind it,
 * would get slower and slower, and replanning each statement would dominate the cost. So cached plans are dropped, and new ones
 * use indexes.
 */
const RELAX_SETTINGS = new PreparedStatement<object>(
  'import_settings',
  `SELECT set_config('statement_timeout', '60s', true), set_config('enable_seqscan', 'off', true)`,
);

/** For such a statement and its response. */
const IMPORT_RESPONSE_TIMEOUT_MS = 62_000;

const DROP_PLANS = new PreparedStatement<never>('import_drop_plans', 'DISCARD PLANS');

/** Two concurrent imports would wait for each other's Clients. The lock ends with the transaction. */
const TRY_LOCK = new PreparedStatement<{ readonly isLocked: boolean }>(
  'import_lock',
  `SELECT pg_try_advisory_xact_lock(hashtextextended('svc-registry import', 0)) AS "isLocked"`,
);

/**
 * How long an import waits for another one. A caller that abandons a dry run and starts another, as the console does when a
 * choice changes, must wait until the registry notices the disconnect and stops the first one.
 */
const WAIT_MS = 5_000;

/** Between attempts, which hold no connection while they wait. */
const PAUSE_MS = 100;

export interface ImportRequest {
  readonly options: ImportOptions;
  readonly actor: Caller;
  /** Aborts when the caller disconnects. */
  readonly abandoned: AbortSignal;
  /** Called right before the import commits. @throws to refuse it */
  readonly assertAllowed: (transaction: Transaction) => Promise<void>;
}

@Injectable()
export class ImportService {
  private readonly places = new SharedPlaces(PLACES);

  constructor(
    private readonly dataSource: DataSource,
    private readonly clients: ClientStore,
    private readonly planner: ImportPlanner,
    private readonly events: SecurityEvents,
  ) {}

  /**
   * Makes the Clients match the lines of a body, in one transaction. An import that loses a race against other changes is
   * retried once.
   *
   * @param body NDJSON: a record of an export, or a declaration, on each line
   * @throws {RegistryError} `import_refused` with the violations of each line; `body_too_large`, `too_many_clients`,
   *   `unexpected_deleted`, `import_under_way`, `conflict`, `token_invalid`
   * @throws {NoPlaceLeftError}
   */
  async import(body: Readable, request: ImportRequest): Promise<ImportReport> {
    const leave = this.places.take(request.actor);
    try {
      const file = await spoolBody(body);
      try {
        return await this.runWithRetry(file, request);
      } finally {
        await file.close();
      }
    } finally {
      leave();
    }
  }

  private async runWithRetry(file: FileHandle, request: ImportRequest): Promise<ImportReport> {
    try {
      return await this.runInTurn(file, request);
    } catch (error) {
      if (!isConflictError(error) && !hasErrorCode(error, 'conflict')) throw error;
      return this.runInTurn(file, request);
    }
  }

  /** Runs once no other import is running. @throws {RegistryError} `import_under_way` if that takes too long */
  private async runInTurn(file: FileHandle, request: ImportRequest): Promise<ImportReport> {
    const deadline = performance.now() + WAIT_MS;
    for (;;) {
      try {
        return await this.run(file, request);
      } catch (error) {
        if (!hasErrorCode(error, 'import_under_way') || performance.now() > deadline) throw error;
      }
      await sleep(PAUSE_MS);
      if (request.abandoned.aborted) throw importAbandoned();
    }
  }

  private async run(file: FileHandle, request: ImportRequest): Promise<ImportReport> {
    const { options, actor, abandoned } = request;
    return inTransaction(this.dataSource, async (transaction) => {
      const [lock] = await TRY_LOCK.run(transaction, []);
      if (!lock?.isLocked) throw importUnderWay();
      await RELAX_SETTINGS.run(transaction, []);
      setResponseTimeout(transaction, IMPORT_RESPONSE_TIMEOUT_MS);
      await DROP_PLANS.run(transaction, []);
      const { clients, planner } = this;
      const run = new ImportRun({ clients, planner, transaction, actor, options });
      try {
        for await (const lines of readLines(file, BATCH)) {
          if (abandoned.aborted) throw importAbandoned();
          await run.take(lines);
        }
        await run.finish();
      } finally {
        await run.leave();
        setResponseTimeout(transaction, RESPONSE_TIMEOUT_MS);
      }
      if (abandoned.aborted) throw importAbandoned();
      await request.assertAllowed(transaction);
      if (!options.dryRun) {
        const by = actorOf(actor, actor.address);
        this.events.add(transaction, {
          kind: 'clients_imported',
          actor: by,
          details: run.report.details,
        });
      }
      return run.report;
    });
  }
}
