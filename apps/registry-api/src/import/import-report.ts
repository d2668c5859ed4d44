import { Readable } from 'node:stream';
import type { ChangeKind } from '../clients/client-change.entity.js';
import type { ImportedClientDocument, ImportOptions, ImportSummary } from './import.dto.js';

/** What has become, or would become, of a Client. */
export interface ImportedClient {
  readonly clientId: string;
  /** Where it stands in the import; absent for one that is absent there. */
  readonly line?: number;
  /** None where all was so already. */
  readonly changes: readonly ChangeKind[];
  /** Of a new Client. */
  readonly secret?: string | undefined;
}

/** What an import did. Clients are kept as the text of the answer, which takes far less memory than objects do. */
export class ImportReport {
  private readonly counts = { registered: 0, updated: 0, enabled: 0, disabled: 0, deleted: 0, unchanged: 0 };
  private readonly changed: Buffer[] = [];

  constructor(private readonly options: ImportOptions) {}

  add(clients: readonly ImportedClient[]): void {
    for (const { changes } of clients) {
      if (changes.length === 0) this.counts.unchanged += 1;
      for (const kind of changes) if (kind !== 'secret_rotated') this.counts[kind] += 1;
    }
    const rows = clients.filter(({ changes }) => changes.length > 0).map((client) => this.toRow(client));
    if (rows.length > 0) this.changed.push(Buffer.from(rows.map((row) => JSON.stringify(row)).join(',')));
  }

  /** The answer's JSON. */
  toJson(): Readable {
    const { dryRun, prune } = this.options;
    const counts: ImportSummary = { dry_run: dryRun, prune, ...this.counts };
    const summary = JSON.stringify(counts);
    const rows = this.changed.flatMap((part, index) => (index > 0 ? [Buffer.from(','), part] : [part]));
    const parts = [Buffer.from(`${summary.slice(0, -1)},"clients":[`), ...rows, Buffer.from(']}')];
    return Readable.from(parts, { objectMode: false });
  }

  /** A secret that a dry run made never comes again. */
  private toRow({ clientId, line, changes, secret }: ImportedClient): ImportedClientDocument {
    const isTold = secret !== undefined && !this.options.dryRun;
    return { client_id: clientId, line, changes, ...(isTold && { client_secret: secret }) };
  }
}
