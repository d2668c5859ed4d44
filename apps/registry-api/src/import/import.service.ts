import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { SharedPlaces } from '@svc/service-kit';
import { DataSource } from 'typeorm';
import { ClientStore } from '../clients/client.store.js';
import { RESPONSE_TIMEOUT_MS } from '../database/data-source.js';
import { isConflictError } from '../database/database-errors.js';
import { setResponseTimeout } from '../database/response-timeout.js';
import { inTransaction } from '../database/transaction.js';
import { hasErrorCode } from '../errors/registry-error.js';
import type { Actor } from '../http/current-actor.js';
import type { ImportOptions } from './import-options.js';
import { ImportPlanner } from './import-planner.js';
import type { ImportReport } from './import-report.js';
import { ImportRun } from './import-run.js';
import {
  ALLOW_FOR_LENGTH,
  DROP_PLANS,
  IMPORT_RESPONSE_TIMEOUT_MS,
  TRY_TO_BE_THE_ONLY_ONE,
} from './import-statements.js';
import { importAbandoned, importUnderWay } from './import.errors.js';
import { readLines } from './read-lines.js';
import { spoolBody } from './spool-body.js';

/** Longest body, in bytes. */
export const MAX_IMPORT_BYTES = 100 * 1024 * 1024;

/** Clients that one statement stores. */
const BATCH = 200;

/** Bodies that one process takes at a time; each may fill 100 MiB of the disk. One of them is imported, the others are refused. */
const PLACES = {
  name: 'imports',
  total: 4,
  perToken: 2,
  perAddress: 3,
  remedy: 'try again when one has ended',
};

/** Who imports, how, and until when they wait. */
export interface ImportRequest {
  readonly options: ImportOptions;
  readonly actor: Actor;
  /** Tells that nobody waits for the import any more. */
  readonly abandoned: AbortSignal;
}

@Injectable()
export class ImportService {
  private readonly places = new SharedPlaces(PLACES);

  constructor(
    private readonly dataSource: DataSource,
    private readonly clients: ClientStore,
    private readonly planner: ImportPlanner,
  ) {}

  /**
   * Makes Clients as the lines of a body say, in one transaction. What loses a race against other changes is run once
   * more.
   *
   * @param body NDJSON: a record of an export, or a declaration, on each line
   * @throws {RegistryError} `import_refused` with what is wrong with the lines; nothing was imported then
   * @throws {RegistryError | NoPlaceLeftError} `body_too_large`, `too_many_clients`, `import_under_way`, `conflict`
   */
  async import(body: Readable, request: ImportRequest): Promise<ImportReport> {
    const leave = this.places.take(request.actor);
    try {
      const file = await spoolBody(body, MAX_IMPORT_BYTES);
      try {
        return await this.runTwiceIfNeeded(file, request);
      } finally {
        await file.close();
      }
    } finally {
      leave();
    }
  }

  private async runTwiceIfNeeded(file: FileHandle, request: ImportRequest): Promise<ImportReport> {
    try {
      return await this.run(file, request);
    } catch (error) {
      if (!isConflictError(error) && !hasErrorCode(error, 'conflict')) throw error;
      return this.run(file, request);
    }
  }

  private async run(file: FileHandle, { options, actor, abandoned }: ImportRequest): Promise<ImportReport> {
    return inTransaction(this.dataSource, async (transaction) => {
      await ALLOW_FOR_LENGTH.run(transaction, []);
      setResponseTimeout(transaction, IMPORT_RESPONSE_TIMEOUT_MS);
      await DROP_PLANS.run(transaction, []);
      const [lock] = await TRY_TO_BE_THE_ONLY_ONE.run(transaction, []);
      if (!lock?.isOnlyOne) throw importUnderWay();
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
      return run.report;
    });
  }
}
