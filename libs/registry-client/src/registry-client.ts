import { assertToken, isOpenToReaders, parseRegistryUrl } from './registry-address.js';
import {
  type ClientDocument,
  type ClientPage,
  type ClientWithSecret,
  type ImportReport,
  isClientDocument,
  isClientPage,
  isClientWithSecret,
  isImportReport,
  isObject,
  type VersionedClient,
} from './registry-documents.js';
import { foreign, toAnswerError } from './to-answer-error.js';
import { type Answered, type Asked, Transport } from './transport.js';

export interface RegistryOptions {
  readonly url: string;
  readonly token: string;
  /** PEM with authorities to trust besides the usual ones. */
  readonly ca?: string | undefined;
  /** How long the registry may be silent, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Sent with every request, such as `x-request-id` and `traceparent`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Which Clients a list holds; the names are those of `GET /client`. */
export interface ListQuery {
  readonly q?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly sort?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

const MEBIBYTE = 1024 * 1024;

/** Of a page, a Client, features. */
const ANSWER_BYTES = 32 * MEBIBYTE;

/** An export of some hundred thousand Clients. */
const EXPORT_BYTES = 384 * MEBIBYTE;

/** The report of an import of 250,000 Clients. */
const REPORT_BYTES = 96 * MEBIBYTE;

/** 100,000 Clients take a minute or two, in which the registry says nothing. In milliseconds. */
const IMPORT_SILENCE_MS = 900_000;

/** Keeps a request's first line well below the 16 KiB that servers commonly take. */
const IDS_LENGTH = 6_000;

/** The client registry over its HTTP API. Everything that goes wrong is a {@link RegistryError}. */
export class RegistryClient {
  /** Where it is, without credentials: for messages. */
  readonly place: string;
  /** True when the token can be read on its way. */
  readonly isOpenToReaders: boolean;
  private readonly url: URL;
  private readonly token: string;
  private readonly transport: Transport;

  /** @throws {RangeError} when the address or the token can be none; no message shows the token */
  constructor(options: RegistryOptions) {
    assertToken(options.token);
    this.url = parseRegistryUrl(options.url);
    this.place = this.url.href;
    this.isOpenToReaders = isOpenToReaders(this.url);
    this.token = options.token;
    this.transport = new Transport({ ...options, url: this.url });
  }

  close(): void {
    this.transport.close();
  }

  /** What the registry supports: its answer to `GET /client/features`. */
  async features(): Promise<unknown> {
    const asked = get('client/features');
    return this.json(asked, await this.ask(asked), isObject);
  }

  /** One page. */
  async list(query: ListQuery): Promise<ClientPage> {
    const given = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) given.set(name, String(value));
    }
    const asked = get(`client?${given.toString()}`);
    return this.json(asked, await this.ask(asked), isClientPage);
  }

  /** @throws {RegistryError} `not_found` */
  async get(clientId: string): Promise<VersionedClient> {
    const asked = get(`client/${encodeURIComponent(clientId)}`);
    const answered = await this.ask(asked, missing(clientId));
    const { etag } = answered.headers;
    if (etag === undefined) throw foreign(asked, answered, this.url);
    return { client: this.json(asked, answered, isClientDocument), etag };
  }

  /** All Clients, without secrets, in the order of their ids. */
  async exportAll(): Promise<ClientDocument[]> {
    return this.exported('clients/export');
  }

  /** Those of the ids that there are. */
  async exportSome(clientIds: readonly string[]): Promise<ClientDocument[]> {
    const found: ClientDocument[] = [];
    for (const query of queriesOf(clientIds)) found.push(...(await this.exported(`clients/export?${query}`)));
    return found;
  }

  /**
   * Makes Clients as records say: all of them, or none.
   *
   * @param records JSON, one each
   * @throws {RegistryError} `interrupted`; `invalid` with the violations, whose fields begin with `/lines/<number>`, counted from 1
   */
  async import(
    records: readonly string[],
    { dryRun, prune }: { readonly dryRun: boolean; readonly prune: boolean },
  ): Promise<ImportReport> {
    const asked: Asked = {
      method: 'POST',
      path: `clients/import?dry_run=${dryRun}&prune=${prune}`,
      changes: !dryRun,
      body: { type: 'application/x-ndjson', content: records.join('\n') },
      silenceMs: IMPORT_SILENCE_MS,
      maxBytes: REPORT_BYTES,
    };
    return this.json(asked, await this.ask(asked), isImportReport);
  }

  /**
   * Deletes Clients, all or none, as long as each is still in the state handed in.
   *
   * @throws {RegistryError} `changed`, `interrupted`
   */
  async delete(clients: readonly VersionedClient[]): Promise<void> {
    const operations = clients.map(({ client, etag }) => ({
      op: 'delete',
      client_id: client.client_id,
      if_match: etag,
    }));
    await this.ask(
      post('clients/bulk', { operations }),
      'one of the Clients is no longer there; nothing was deleted',
    );
  }

  /**
   * @param overlap how long the former secret stays valid, such as `24 h`; not at all when absent
   * @throws {RegistryError} `interrupted`
   */
  async rotateSecret(clientId: string, overlap: string | undefined): Promise<ClientWithSecret> {
    const path = `client/${encodeURIComponent(clientId)}/reset_secret`;
    const asked = post(path, overlap === undefined ? {} : { overlap });
    return this.json(asked, await this.ask(asked, missing(clientId)), isClientWithSecret);
  }

  private async exported(path: string): Promise<ClientDocument[]> {
    const asked: Asked = { method: 'GET', path, accept: 'application/x-ndjson', maxBytes: EXPORT_BYTES };
    const answered = await this.ask(asked);
    const lines = answered.text.split('\n').filter((line) => line !== '');
    return lines.map((line) => this.json(asked, { ...answered, text: line }, isClientDocument));
  }

  /** @param isMissing what a 404 means; without it: that there is no registry */
  private async ask(asked: Asked, isMissing?: string): Promise<Answered> {
    const answered = await this.transport.send(asked);
    if (answered.status >= 200 && answered.status < 300) return answered;
    const error = toAnswerError(asked, answered, this.url, isMissing);
    // Whatever a server echoes, the token is not shown.
    error.message = error.message.replaceAll(this.token, '********');
    throw error;
  }

  private json<T>(asked: Asked, answered: Answered, isExpected: (value: unknown) => value is T): T {
    try {
      const value: unknown = JSON.parse(answered.text);
      if (isExpected(value)) return value;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    throw foreign(asked, answered, this.url);
  }
}

function get(path: string): Asked {
  return { method: 'GET', path, maxBytes: ANSWER_BYTES };
}

function post(path: string, document: unknown): Asked {
  const body = { type: 'application/json', content: JSON.stringify(document) };
  return { method: 'POST', path, changes: true, body, maxBytes: ANSWER_BYTES };
}

function missing(clientId: string): string {
  return `the registry has no Client '${clientId}'`;
}

/** The ids as queries, each of a bounded length. */
function* queriesOf(clientIds: readonly string[]): Generator<string, void> {
  let query = '';
  for (const clientId of clientIds) {
    const parameter = `client_id=${encodeURIComponent(clientId)}`;
    if (query !== '' && query.length + parameter.length > IDS_LENGTH) {
      yield query;
      query = '';
    }
    query += `${query === '' ? '' : '&'}${parameter}`;
  }
  if (query !== '') yield query;
}
