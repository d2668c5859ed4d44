import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { type ClientDocument, type ClientSelector, selects } from '@svc/client-metadata';
import { activeCallers, EventLoopYield, SharedPlaces } from '@svc/service-kit';
import { DataSource } from 'typeorm';
import { readLastChange } from '../clients/change-statements.js';
import { toListedClient, withoutActors } from '../clients/client-document.js';
import { ClientFinder } from '../clients/list/client-finder.js';
import { type ClientFilter, type ListPosition, orderOf } from '../clients/list/page-request.js';
import { SELECT_CLIENT, type StoredClient } from '../clients/stored-client.js';
import { PreparedStatement } from '../database/prepared-statement.js';
import { Semaphore } from '../database/semaphore.js';
import type { Caller } from '../http/current-caller.js';
import { RegistrySettings } from '../settings/registry-settings.js';
import { actorOf } from '../security-events/security-event.js';
import { SecurityEvents } from '../security-events/security-events.js';
import { BYTE_ORDER_MARK, csvColumns, csvHeader, csvRows } from './csv-rows.js';

/** Clients per read: all that an export ever holds in memory, however slow its reader. */
const BATCH = 500;

/** Clients that become text at a time, between which other requests are served. */
const CHUNK = 50;

/** Exports that one process sends at a time: slow readers leave room for others, and for other requests. */
const PLACES = {
  name: 'exports',
  total: 20,
  perToken: 5,
  perAddress: 10,
  remedy: 'try again when one has finished',
};

/** Which Clients are exported. */
export type ExportScope =
  | { readonly filter: ClientFilter }
  | { readonly clientIds: readonly string[]; readonly selector: ClientSelector };

export type ExportFormat = 'ndjson' | 'csv';

/** A running export. Read the stream to its end, or destroy it. */
export interface ClientExport {
  readonly content: Readable;
  /** It reflects every change up to this one, and perhaps later ones. */
  readonly position: string;
}

/** `$1` client_ids */
const BY_IDS = new PreparedStatement<StoredClient>(
  'clients_by_ids',
  `${SELECT_CLIENT} WHERE c.client_id = ANY ($1::text[]) ORDER BY c.client_id`,
);

@Injectable()
export class ExportService {
  private readonly places = new SharedPlaces(PLACES);
  /** Reading and parsing a page delays other callers: while there are several, the exports of each read one page at a time. */
  private readonly pages = new Semaphore({
    all: () => Infinity,
    ofOwner: () => (activeCallers.areSeveral ? 1 : Infinity),
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: ClientFinder,
    private readonly settings: RegistrySettings,
    private readonly events: SecurityEvents,
  ) {}

  /**
   * Clients in the order of their ids, read batch by batch as the caller consumes them, without holding a transaction or
   * a connection. The first batch is read before this returns, so that errors can still be answered.
   *
   * @throws {NoPlaceLeftError}
   */
  async open(scope: ExportScope, format: ExportFormat, reader: Caller): Promise<ClientExport> {
    const leave = this.places.take(reader);
    try {
      const opened = await this.begin(scope, format, reader);
      opened.content.once('close', leave);
      return opened;
    } catch (error) {
      leave();
      throw error;
    }
  }

  private async begin(scope: ExportScope, format: ExportFormat, reader: Caller): Promise<ClientExport> {
    const position = await readLastChange(this.dataSource);
    const batches = this.recorded(this.batches(scope, reader), format, reader);
    const first = await batches.next();
    const all = rejoin(first, batches);
    const lines = format === 'csv' ? toCsv(all, csvColumns(this.settings.capabilities)) : toNdjson(all);
    return { content: Readable.from(lines, { objectMode: false }), position };
  }

  /** Records how many Clients were read, also when the reader leaves before the end. */
  private async *recorded(
    batches: AsyncGenerator<ClientDocument[], void>,
    format: ExportFormat,
    reader: Caller,
  ): AsyncGenerator<ClientDocument[], void> {
    let clients = 0;
    try {
      for await (const batch of batches) {
        clients += batch.length;
        yield batch;
      }
    } finally {
      const actor = actorOf(reader, reader.address);
      this.events.record({ kind: 'clients_exported', actor, details: { format }, amounts: { clients } });
    }
  }

  private async *batches(scope: ExportScope, reader: Caller): AsyncGenerator<ClientDocument[], void> {
    if ('clientIds' in scope) {
      const clients = await BY_IDS.run(this.dataSource, [scope.clientIds]);
      yield* this.chunks(
        clients.filter((client) => selects(scope.selector, client)),
        reader,
      );
      return;
    }
    const page = { filter: scope.filter, order: orderOf('client_id'), limit: BATCH, owner: reader.id };
    const read = async (after?: ListPosition) =>
      this.pages.run(async () => this.finder.find({ ...page, after }), reader.id);
    for (let found = await read(); ;) {
      yield* this.chunks(
        found.map(({ client }) => client),
        reader,
      );
      const after = found.at(-1)?.position;
      if (found.length < BATCH || !after) return;
      found = await read(after);
    }
  }

  private async *chunks(
    clients: readonly StoredClient[],
    reader: Caller,
  ): AsyncGenerator<ClientDocument[], void> {
    const pause = new EventLoopYield();
    for (let from = 0; from < clients.length; from += CHUNK) {
      await pause.ifDue();
      yield clients.slice(from, from + CHUNK).map((client) => this.toDocument(client, reader));
    }
  }

  private toDocument(client: StoredClient, { seesActors }: Caller): ClientDocument {
    const document = toListedClient(client, this.settings.capabilities);
    return seesActors ? document : withoutActors(document);
  }
}

async function* rejoin<T>(
  first: IteratorResult<T, void>,
  rest: AsyncGenerator<T, void>,
): AsyncGenerator<T, void> {
  try {
    if (first.done === true) return;
    yield first.value;
    yield* rest;
  } finally {
    await rest.return();
  }
}

async function* toNdjson(batches: AsyncIterable<ClientDocument[]>): AsyncGenerator<string, void> {
  for await (const clients of batches) yield clients.map((client) => `${JSON.stringify(client)}\n`).join('');
}

async function* toCsv(
  batches: AsyncIterable<ClientDocument[]>,
  columns: readonly string[],
): AsyncGenerator<string, void> {
  yield BYTE_ORDER_MARK + (await csvHeader(columns));
  for await (const clients of batches) yield csvRows(clients, columns);
}
