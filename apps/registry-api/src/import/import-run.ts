import type { Violation } from '@svc/client-metadata';
import { EventLoopYield, JsonBodyError, parseJson } from '@svc/service-kit';
import { clientExists, InvalidClientError } from '../clients/client.errors.js';
import type { ClientStore, LockedClients } from '../clients/client.store.js';
import type { PlannedChange } from '../clients/planned-change.js';
import { PreparedStatement } from '../database/prepared-statement.js';
import { StatementQueue, type Transaction } from '../database/transaction.js';
import type { Caller } from '../http/current-caller.js';
import { type Line, MAX_LINE_BYTES } from './import-body.js';
import { clientIdIn, type ImportPlanner, type PlannedRecord, type RecordImporter } from './import-planner.js';
import { type ImportedClient, ImportReport, LineViolations } from './import-report.js';
import type { ImportOptions } from './import.dto.js';
import { importConflict, importRefused, tooManyClients, unexpectedDeleted } from './import.errors.js';

/** As many as fit into 100 MiB of an export, and can be imported within a minute or two. */
const MAX_CLIENTS = 250_000;

/** Ids compared per statement to find absent Clients. */
const IDS_AT_ONCE = 10_000;

/** Clients deleted per statement. */
const DELETED_AT_ONCE = 500;

/** `$1` the id to continue after `$2` limit `$3` manager */
const NEXT_IDS = new PreparedStatement<{ readonly clientId: string }>(
  'import_next_ids',
  `SELECT client_id AS "clientId" FROM client WHERE managed_by = $3 AND client_id > $1 ORDER BY client_id LIMIT $2`,
);

/** The order in which the changes of a batch are stored, so that those of a kind share a statement. */
const ORDER: readonly PlannedChange['kind'][] = ['registered', 'updated', 'enabled', 'disabled'];

export interface RunParts {
  readonly clients: ClientStore;
  readonly planner: ImportPlanner;
  readonly transaction: Transaction;
  readonly actor: Caller;
  readonly options: ImportOptions;
}

interface ImportRecord {
  readonly line: number;
  readonly content: unknown;
  readonly clientId?: string | undefined;
}

/** A batch of lines, and the pending query for their clients. */
interface Batch {
  readonly records: readonly ImportRecord[];
  /** Their existing clients, locked. */
  readonly state: Promise<LockedClients>;
  readonly lastLine: number;
}

/**
 * One attempt at an import, within its transaction. While the database stores one batch of lines, the next is validated.
 * From the first violation on it only looks for more.
 */
export class ImportRun {
  readonly report: ImportReport;
  private readonly at = new Date();
  private readonly violations = new LineViolations();
  private readonly lineOf = new Map<string, number>();
  /** The batch to validate next, already requested from the database while the previous one is stored. */
  private ahead: Batch | undefined;
  private storing: Promise<void> = Promise.resolve();
  private readonly statements = new StatementQueue();
  private readonly pause = new EventLoopYield();

  private readonly importer: RecordImporter;

  constructor(private readonly parts: RunParts) {
    const { options, actor } = parts;
    this.report = new ImportReport(options);
    const { manager, takesOver, importsSecrets } = options;
    this.importer = { caller: actor, manager, takesOver, importsSecrets };
  }

  /** Makes clients match their lines, batch by batch. @throws {RegistryError} `too_many_clients`, `conflict` */
  async take(lines: readonly Line[]): Promise<void> {
    const former = this.ahead;
    this.ahead = await this.read(lines);
    if (former) await this.validate(former);
  }

  /**
   * Call it after the last lines.
   *
   * @throws {RegistryError} `import_refused` when a line has violations, `unexpected_deleted`, `conflict`
   */
  async finish(): Promise<void> {
    if (this.ahead) await this.validate(this.ahead);
    await this.storing;
    if (!this.violations.isEmpty) throw importRefused(this.violations.toViolations());
    const { prune, expectedDeleted } = this.parts.options;
    if (prune) await this.prune();
    const { deleted } = this.report.summary;
    if (expectedDeleted !== undefined && deleted !== expectedDeleted)
      throw unexpectedDeleted(deleted, expectedDeleted);
  }

  /** Waits for running statements, so that the transaction can end. */
  async leave(): Promise<void> {
    await this.statements.idle();
  }

  private async read(lines: readonly Line[]): Promise<Batch> {
    const records: ImportRecord[] = [];
    for (const line of lines) {
      await this.pause.ifDue();
      records.push(...this.parse(line));
    }
    if (this.lineOf.size > MAX_CLIENTS) throw tooManyClients(MAX_CLIENTS);
    const { clients, transaction, actor } = this.parts;
    const ids = records.flatMap(({ clientId }) => (clientId === undefined ? [] : [clientId]));
    const state = this.statements.run(async () => clients.lock(ids, actor, transaction));
    return { records, state, lastLine: lines.at(-1)?.number ?? 0 };
  }

  private async validate({ records, state, lastLine }: Batch): Promise<void> {
    const clients = await state;
    const planned: Planned[] = [];
    for (const record of records) {
      await this.pause.ifDue();
      planned.push(...this.plan(record, clients));
    }
    this.violations.settle(lastLine);
    await this.storing;
    if (this.violations.isEmpty) this.storing = this.statements.run(async () => this.storePlanned(planned));
  }

  private async storePlanned(planned: readonly Planned[]): Promise<void> {
    await this.store(planned.flatMap(({ changes }) => changes));
    this.report.add(planned.map(({ record, changes, secret }) => toResult(record, changes, secret)));
  }

  /** Deletes the clients of the set without a line. @throws {RegistryError} `import_refused` if that would be all of them */
  private async prune(): Promise<void> {
    for await (const ids of this.absentIds()) {
      const { clients, transaction, actor } = this.parts;
      const absent = [...(await clients.lock(ids, actor, transaction)).clients.values()];
      if (absent.length === 0) continue;
      if (this.lineOf.size === 0) throw importRefused([NOTHING_TO_KEEP]);
      const deletions = absent.map((before) => ({ kind: 'deleted', before }) as const);
      await this.store(deletions);
      this.report.add(absent.map(({ clientId }) => ({ clientId, changes: ['deleted'] })));
    }
  }

  private parse({ number, bytes }: Line): ImportRecord[] {
    try {
      if (bytes.length > MAX_LINE_BYTES) throw new JsonBodyError('the line is longer than 1 MiB');
      const content = parseJson(bytes);
      const clientId = clientIdIn(content);
      if (clientId !== undefined) this.note(clientId, number);
      return [{ line: number, content, clientId }];
    } catch (error) {
      if (!(error instanceof JsonBodyError)) throw error;
      const message = error.message.replace(/^the body/, 'the line');
      this.violations.add(number, [{ field: '', code: 'json', message }]);
      return [];
    }
  }

  private note(clientId: string, line: number): void {
    const earlier = this.lineOf.get(clientId);
    if (earlier === undefined) {
      this.lineOf.set(clientId, line);
      return;
    }
    const message = `the client is already in line ${earlier}`;
    this.violations.add(line, [{ field: '/client_id', code: 'duplicate', message }]);
  }

  private plan(record: ImportRecord, { clients, taken }: LockedClients): Planned[] {
    const { clientId } = record;
    const before = clientId === undefined ? undefined : clients.get(clientId);
    if (clientId !== undefined && taken.has(clientId)) this.violations.add(record.line, [takenId(clientId)]);
    try {
      return [{ record, ...this.parts.planner.plan(record.content, before, this.importer, this.at) }];
    } catch (error) {
      if (!(error instanceof InvalidClientError)) throw error;
      this.violations.add(record.line, error.violations);
      return [];
    }
  }

  private async store(changes: readonly PlannedChange[]): Promise<void> {
    const { clients, transaction, actor, options } = this.parts;
    if (options.dryRun) return;
    const sorted = [...changes].sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
    const seqs = await clients.applyInOrder(sorted, this.at, actor, transaction);
    // The rows are locked, so only a registration can conflict.
    if (seqs.includes(undefined)) throw importConflict();
  }

  private async *absentIds(): AsyncGenerator<string[], void> {
    for (let after = ''; ;) {
      const page = await NEXT_IDS.run(this.parts.transaction, [
        ...[after, IDS_AT_ONCE],
        this.importer.manager,
      ]);
      const absent = page.map(({ clientId }) => clientId).filter((clientId) => !this.lineOf.has(clientId));
      while (absent.length > 0) yield absent.splice(0, DELETED_AT_ONCE);
      const last = page.at(-1);
      if (!last || page.length < IDS_AT_ONCE) return;
      after = last.clientId;
    }
  }
}

type Planned = PlannedRecord & { readonly record: ImportRecord };

/** A failed export often leaves an empty file. */
const NOTHING_TO_KEEP: Violation = {
  field: '/lines',
  code: 'empty',
  message: 'the body contains no client, so prune would delete all of the set',
};

/** Reveals nothing else about a Client that the caller does not reach. */
function takenId(clientId: string): Violation {
  return { field: '/client_id', code: 'taken', message: clientExists(clientId).message };
}

function toResult(
  { clientId = '', line }: ImportRecord,
  changes: readonly PlannedChange[],
  secret: string | undefined,
): ImportedClient {
  const isTakenOver = changes.some((change) => change.kind === 'updated' && change.managedBy !== undefined);
  const bringsSecret = changes.some(
    (change) => change.kind === 'registered' && change.client.secret?.isImported,
  );
  return { clientId, line, changes: changes.map(({ kind }) => kind), isTakenOver, secret, bringsSecret };
}
