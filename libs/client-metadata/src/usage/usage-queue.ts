import { type ClientUse, isSameUse, withoutDetails } from './client-use.js';

/** Equal uses of one Client on one day (UTC). Times are RFC 3339. */
export interface UsageRow {
  readonly client_id: string;
  /** When the Client was registered, which tells it from a former one with its id. Absent: not known. */
  readonly client_created_at?: string;
  readonly use: ClientUse;
  readonly count: number;
  readonly first_at: string;
  readonly last_at: string;
}

/** Counts of an interval. A reporter's intervals follow each other without a gap. */
export interface UsageBatch {
  /** Unique; a repeated batch is counted once. */
  readonly batch_id: string;
  /** The process that counts. */
  readonly reporter: string;
  readonly from: string;
  readonly to: string;
  /** Present on the last batch of a process that ends. */
  readonly is_final?: true;
  /** Present when uses of the interval are missing. */
  readonly is_incomplete?: true;
  readonly rows: readonly UsageRow[];
}

/** How long uses are counted before they are sent, in milliseconds, unless there are very many. */
export const USAGE_INTERVAL_MS = 10_000;

export const MAX_ROWS_PER_BATCH = 1_000;

/** Different uses of one Client in an interval; further ones are counted together. */
const MAX_ROWS_PER_CLIENT = 200;

/** What a queue holds at most. */
export interface UsageLimits {
  readonly rowsPerBatch: number;
  /** In memory; uses beyond that are dropped, and the interval is marked as incomplete. */
  readonly rows: number;
}

const LIMITS: UsageLimits = { rowsPerBatch: MAX_ROWS_PER_BATCH, rows: 50_000 };

interface CountedRow {
  readonly clientId: string;
  readonly createdAt: number | undefined;
  readonly day: number;
  readonly use: ClientUse;
  count: number;
  firstAt: number;
  lastAt: number;
}

/** A batch whose rows are still short: as objects to send, those of a whole interval would take too much memory. */
interface WaitingBatch {
  readonly head: Omit<UsageBatch, 'rows'>;
  readonly rows: readonly CountedRow[];
}

/**
 * Counts uses, and returns them as batches until each has been sent. While batches cannot be sent, new uses are added to
 * the counts of the next interval, so memory stays bounded.
 */
export class UsageQueue {
  private counted = new Map<string, CountedRow[]>();
  private size = 0;
  private dropped = 0;
  private waiting: WaitingBatch[] = [];
  private from: number;
  private readonly limits: UsageLimits;

  constructor(
    private readonly reporter: string,
    private readonly newBatchId: () => string,
    startedAt: number,
    limits: Partial<UsageLimits> = {},
  ) {
    this.from = startedAt;
    this.limits = { ...LIMITS, ...limits };
  }

  /** Rows in memory, counted or waiting to be sent. */
  get rows(): number {
    return this.waiting.reduce((sum, { rows }) => sum + rows.length, this.size);
  }

  /** Since when uses wait to be sent; undefined: none does. */
  get waitingSince(): number | undefined {
    const oldest = this.waiting.find(({ rows }) => rows.length > 0);
    if (oldest) return Date.parse(oldest.head.from);
    return this.size > 0 ? this.from : undefined;
  }

  /** Whether it is time to send before the interval is over. */
  get isFilling(): boolean {
    return this.size >= this.limits.rows / 2;
  }

  /**
   * @param createdAt when the Client was registered
   * @returns false if it was dropped because too many different uses are waiting
   */
  record(clientId: string, use: ClientUse, at: number, createdAt?: number): boolean {
    const day = Math.floor(at / DAY_MS);
    const rows = this.counted.get(clientId) ?? [];
    const known = rows.find(
      (row) => row.day === day && row.createdAt === createdAt && isSameUse(row.use, use),
    );
    if (known) return add(known, at);
    if (rows.length >= MAX_ROWS_PER_CLIENT && !use.others)
      return this.record(clientId, withoutDetails(use), at, createdAt);
    if (this.size >= this.limits.rows) {
      this.dropped += 1;
      return false;
    }
    this.size += 1;
    if (rows.length === 0) this.counted.set(clientId, rows);
    rows.push({ clientId, createdAt, day, use, count: 1, firstAt: at, lastAt: at });
    return true;
  }

  /**
   * The batches to send, in this order. Unsent batches stay the same; new ones are created only once all have been sent.
   *
   * @param isFinal whether the process is ending and stops counting
   */
  *batches(now: number, isFinal = false): Generator<UsageBatch> {
    if (this.waiting.length === 0) this.waiting = this.take(now, isFinal);
    for (const { head, rows } of this.waiting) yield { ...head, rows: rows.map(toRow) };
  }

  sent({ batch_id: id }: UsageBatch): void {
    this.waiting = this.waiting.filter(({ head }) => head.batch_id !== id);
  }

  /** The interval ends with the last batch: without it, the counts are incomplete. */
  private take(now: number, isFinal: boolean): WaitingBatch[] {
    // In order, so that a batch changes neighboring rows of the database: that halves its cost there.
    const clients = [...this.counted.keys()].sort();
    const rows = clients.flatMap((clientId) => this.counted.get(clientId)!);
    const from = new Date(this.from).toISOString();
    const to = new Date(Math.max(this.from, now)).toISOString();
    const slices = inSlices(rows, this.limits.rowsPerBatch);
    const batches = slices.map((slice, index): WaitingBatch => {
      const isLast = index === slices.length - 1;
      const head = {
        batch_id: this.newBatchId(),
        reporter: this.reporter,
        from,
        to: isLast ? to : from,
        ...(isLast && isFinal && { is_final: true as const }),
        ...(isLast && this.dropped > 0 && { is_incomplete: true as const }),
      };
      return { head, rows: slice };
    });
    this.from = Math.max(this.from, now);
    this.counted = new Map();
    this.size = 0;
    this.dropped = 0;
    return batches;
  }
}

const DAY_MS = 24 * 3_600_000;

function add(row: CountedRow, at: number): true {
  row.count += 1;
  row.firstAt = Math.min(row.firstAt, at);
  row.lastAt = Math.max(row.lastAt, at);
  return true;
}

function toRow({ clientId, createdAt, use, count, firstAt, lastAt }: CountedRow): UsageRow {
  const first = new Date(firstAt).toISOString();
  const last = lastAt === firstAt ? first : new Date(lastAt).toISOString();
  const row = { client_id: clientId, use, count, first_at: first, last_at: last };
  return createdAt === undefined ? row : { ...row, client_created_at: new Date(createdAt).toISOString() };
}

/** At least one, perhaps empty: an interval without uses is reported, too. */
function inSlices(rows: readonly CountedRow[], most: number): (readonly CountedRow[])[] {
  const count = Math.max(1, Math.ceil(rows.length / most));
  return Array.from({ length: count }, (_, index) => rows.slice(index * most, (index + 1) * most));
}
