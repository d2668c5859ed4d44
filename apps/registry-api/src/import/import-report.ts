import { Readable } from 'node:stream';
import { pointerTo, type Violation } from '@svc/client-metadata';
import { furtherViolations, MAX_VIOLATIONS } from '@svc/foundation';
import type { PlannedChange } from '../clients/planned-change.js';
import type { ImportedClientDocument, ImportOptions, ImportSummary } from './import.dto.js';

/** What an import did, or would do, to a client. */
export interface ImportedClient {
  readonly clientId: string;
  /** Absent for a client that the import does not contain. */
  readonly line?: number;
  /** Whether others managed it before. */
  readonly isTakenOver?: boolean;
  /** Empty if nothing changed. */
  readonly changes: readonly PlannedChange['kind'][];
  /** The generated one of a new Client. */
  readonly secret?: string | undefined;
  /** Whether the import contains the secret of a new Client. */
  readonly bringsSecret?: boolean;
}

/** What an import did. Clients are kept as JSON text, which takes far less memory than objects. */
export class ImportReport {
  private readonly counts = { registered: 0, updated: 0, enabled: 0, disabled: 0, deleted: 0, unchanged: 0 };
  private takenOver = 0;
  private secrets = 0;
  private readonly changed: Buffer[] = [];

  constructor(private readonly options: ImportOptions) {}

  add(clients: readonly ImportedClient[]): void {
    for (const { changes, isTakenOver, bringsSecret } of clients) {
      if (isTakenOver) this.takenOver += 1;
      if (bringsSecret) this.secrets += 1;
      if (changes.length === 0) this.counts.unchanged += 1;
      for (const kind of changes)
        if (kind !== 'secret_rotated' && kind !== 'restored') this.counts[kind] += 1;
    }
    const rows = clients.filter(({ changes }) => changes.length > 0).map((client) => this.toRow(client));
    if (rows.length > 0) this.changed.push(Buffer.from(rows.map((row) => JSON.stringify(row)).join(',')));
  }

  get summary(): ImportSummary {
    const { dryRun, prune, set } = this.options;
    return {
      ...{ dry_run: dryRun, prune, ...(set !== undefined && { set }) },
      ...this.counts,
      taken_over: this.takenOver,
    };
  }

  /** What the security events say about it. */
  get details(): Readonly<Record<string, unknown>> {
    return { ...this.summary, ...(this.secrets > 0 && { secrets: this.secrets }) };
  }

  /** The answer's JSON. */
  toJson(): Readable {
    const summary = JSON.stringify(this.summary);
    const rows = this.changed.flatMap((part, index) => (index > 0 ? [Buffer.from(','), part] : [part]));
    const parts = [Buffer.from(`${summary.slice(0, -1)},"clients":[`), ...rows, Buffer.from(']}')];
    return Readable.from(parts, { objectMode: false });
  }

  /** Secrets that a dry run generated are omitted, because they will not be used. */
  private toRow({
    clientId,
    line,
    changes,
    isTakenOver,
    secret,
    bringsSecret,
  }: ImportedClient): ImportedClientDocument {
    const isShown = secret !== undefined && !this.options.dryRun;
    return {
      ...{ client_id: clientId, line, changes },
      ...(isTakenOver && { taken_over: true }),
      ...(isShown && { client_secret: secret }),
      ...(bringsSecret && { client_secret_imported: true as const }),
    };
  }
}

/** Collects the violations of the lines, in any order. */
export class LineViolations {
  private readonly listed: Violation[] = [];
  private found: { readonly line: number; readonly violations: readonly Violation[] }[] = [];
  private count = 0;

  get isEmpty(): boolean {
    return this.count === 0;
  }

  /** @param violations with fields relative to the line */
  add(line: number, violations: readonly Violation[]): void {
    this.count += violations.length;
    this.found.push({ line, violations });
  }

  /** Call it once every violation up to this line is known. */
  settle(lastLine: number): void {
    const settled = this.found.filter(({ line }) => line <= lastLine).sort((a, b) => a.line - b.line);
    this.found = this.found.filter(({ line }) => line > lastLine);
    for (const { line, violations } of settled) {
      const places = violations.slice(0, MAX_VIOLATIONS - this.listed.length);
      this.listed.push(
        ...places.map((violation) => ({ ...violation, field: pointerTo('lines', line) + violation.field })),
      );
    }
  }

  /** In the order of the lines; the last one may count those that are not listed. */
  toViolations(): Violation[] {
    const surplus = this.count - this.listed.length;
    return surplus > 0 ? [...this.listed, furtherViolations(surplus, '/lines')] : [...this.listed];
  }
}
