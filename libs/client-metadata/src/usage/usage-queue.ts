import { type ClientUse, withoutDetails } from './client-use.js';

/** Equal uses of one Client on one day (UTC). Times are RFC 3339. */
export interface UsageRow {
  readonly client_id: string;
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

/** How long uses are counted before they are sent, in milliseconds. A process that is killed loses no more than this. */
export const USAGE_INTERVAL_MS = 10_000;

export const MAX_ROWS_PER_BATCH = 1_000;

/** Different uses of one Client in an interval; further ones are counted together. */
const MAX_ROWS_PER_CLIENT = 200;

/** In memory; uses beyond that are dropped, and the interval is marked as incomplete. */
const MAX_ROWS = 20_000;

type CountedRow = { count: number; firstAt: number; lastAt: number; readonly use: ClientUse };

/**
 * Counts uses, and hands them out as batches until each was sent. While batches cannot be sent, what happens is added to
 * the counts of the next interval, so memory stays bounded.
 */
export class UsageQueue {
  private counted = new Map<string, Map<string, CountedRow>>();
  private size = 0;
  private dropped = 0;
  private waiting: UsageBatch[] = [];
  private from: number;

  constructor(
    private readonly reporter: string,
    private readonly newBatchId: () => string,
    startedAt: number,
    private readonly maxRowsPerBatch = MAX_ROWS_PER_BATCH,
  ) {
    this.from = startedAt;
  }

  /** Rows in memory, counted or waiting to be sent. */
  get rows(): number {
    return this.waiting.reduce((sum, { rows }) => sum + rows.length, this.size);
  }

  /** Whether it is time to send before the interval is over. */
  get isFilling(): boolean {
    return this.size >= MAX_ROWS / 2;
  }

  /** @returns false: dropped, because too many different uses wait */
  record(clientId: string, use: ClientUse, at: number): boolean {
    const day = Math.floor(at / DAY_MS);
    const rows = this.counted.get(clientId) ?? new Map<string, CountedRow>();
    const key = `${day} ${JSON.stringify(use)}`;
    const known = rows.get(key);
    if (known) return add(known, at);
    if (rows.size >= MAX_ROWS_PER_CLIENT && !use.others)
      return this.record(clientId, withoutDetails(use), at);
    if (this.size >= MAX_ROWS) {
      this.dropped += 1;
      return false;
    }
    this.size += 1;
    this.counted.set(clientId, rows);
    rows.set(key, { use, count: 1, firstAt: at, lastAt: at });
    return true;
  }

  /**
   * The batches to send, in this order. Those that were not sent stay the same; new ones are made only when all were sent.
   *
   * @param isFinal whether the process ends, and counts no more
   */
  batches(now: number, isFinal = false): readonly UsageBatch[] {
    if (this.waiting.length === 0) this.waiting = this.take(now, isFinal);
    return this.waiting;
  }

  sent(batch: UsageBatch): void {
    this.waiting = this.waiting.filter((waiting) => waiting !== batch);
  }

  /** The interval ends with the last batch: without that, its counts are not complete. */
  private take(now: number, isFinal: boolean): UsageBatch[] {
    // In order, so that a batch changes neighboring rows of the database: that halves what it costs there.
    const clients = [...this.counted.keys()].sort();
    const rows = clients.flatMap((clientId) =>
      Array.from(this.counted.get(clientId)!.values(), (row) => toRow(clientId, row)),
    );
    const from = new Date(this.from).toISOString();
    const to = new Date(Math.max(this.from, now)).toISOString();
    const slices = inSlices(rows, this.maxRowsPerBatch);
    const batches = slices.map((slice, index): UsageBatch => {
      const isLast = index === slices.length - 1;
      return {
        batch_id: this.newBatchId(),
        reporter: this.reporter,
        from,
        to: isLast ? to : from,
        ...(isLast && isFinal && { is_final: true }),
        ...(isLast && this.dropped > 0 && { is_incomplete: true }),
        rows: slice,
      };
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

function toRow(clientId: string, { use, count, firstAt, lastAt }: CountedRow): UsageRow {
  const first = new Date(firstAt).toISOString();
  const last = lastAt === firstAt ? first : new Date(lastAt).toISOString();
  return { client_id: clientId, use, count, first_at: first, last_at: last };
}

/** At least one, perhaps empty: that nothing happened is to be reported, too. */
function inSlices(rows: readonly UsageRow[], most: number): (readonly UsageRow[])[] {
  const count = Math.max(1, Math.ceil(rows.length / most));
  return Array.from({ length: count }, (_, index) => rows.slice(index * most, (index + 1) * most));
}
