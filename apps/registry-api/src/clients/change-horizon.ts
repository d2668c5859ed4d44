import type { DataSource } from 'typeorm';
import { PreparedStatement } from '../database/prepared-statement.js';

/** How far changes can be read without missing one that commits later. */
export interface ChangeHorizon {
  /** Sequence number of the last such change; 0 before the first one. It may fall back a little. */
  readonly lastSeq: number;
  /** The last sequence number issued, perhaps to an uncommitted change. */
  readonly issued: number;
}

const HORIZON = new PreparedStatement<{ lastSeq: string; issued: string }>(
  'change_horizon',
  'SELECT last_seq AS "lastSeq", issued FROM change_horizon()',
);

/** Every later statement sees all changes up to `lastSeq`. */
export async function readHorizon(dataSource: DataSource): Promise<ChangeHorizon> {
  const [row] = await HORIZON.run(dataSource, []);
  // Both stay far below 2^53: a thousand changes a second would take 285,000 years.
  return { lastSeq: Number(row?.lastSeq), issued: Number(row?.issued) };
}
