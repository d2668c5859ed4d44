import { eventually, recordFigure } from '@svc/test-servers';
import { expect } from '@jest/globals';
import type { ClusterLoad } from './cluster-load.js';

/** How soon writes must succeed once a primary takes them and the address leads there, in milliseconds. */
export const WRITES_BACK_MS = 2_000;

/** For how long the registry may say that it is ready while writes fail, in milliseconds. */
const WRONGLY_READY_MS = 3_000;

/** A Client in the database. In these drills each has a name of its own. */
export interface StoredClient {
  readonly id: string;
  readonly name: string;
}

export const STORED_CLIENTS = `SELECT client_id AS id, metadata->>'client_name' AS name FROM client`;

export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`;
}

/** What callers saw, in one line. @param backMs how long it took until writes succeeded again, each time */
export function summary(
  { acknowledged, timeline }: ClusterLoad,
  lost: number,
  backMs: readonly number[],
): string {
  return [
    `${acknowledged.size} acknowledged, ${lost} lost`,
    `no write succeeded for ${seconds(timeline.writeGapMs)}, no read for ${seconds(timeline.readGapMs)}`,
    `writes back after ${seconds(Math.max(...backMs))}`,
    `ready while writes failed for ${seconds(timeline.wronglyReadyMs)}`,
  ].join('; ');
}

/**
 * Ends the load and verifies that nothing acknowledged was lost, that the feed told of everything once and in order, and that
 * writes were back in time.
 */
export async function verifyLoad(
  name: string,
  load: ClusterLoad,
  backMs: readonly number[],
  {
    stored,
    backWithinMs = WRITES_BACK_MS,
    allowed = [],
  }: {
    stored: () => Promise<StoredClient[]>;
    backWithinMs?: number;
    /** What callers may see besides success and 503, such as `GET 404`. */
    allowed?: readonly string[];
  },
): Promise<void> {
  await load.stop();
  const clients = await stored();
  const ids = new Set(clients.map(({ id }) => id));
  const lost = [...load.acknowledged.values()].filter((id) => !ids.has(id));
  const doubled = clients.length - new Set(clients.map((client) => client.name)).size;
  recordFigure(`${name}, ${backMs.length} times`, summary(load, lost.length, backMs));
  await eventually(async () => expect(load.feed.differences(ids)).toEqual([]));
  await load.feed.stop();

  expect({ lost, doubled }).toEqual({ lost: [], doubled: 0 });
  expect({ disorder: load.feed.disorder, restarts: load.feed.restarts }).toEqual({
    disorder: 0,
    restarts: 0,
  });
  expect(load.unexpected.filter((answer) => !allowed.includes(answer))).toEqual([]);
  expect(Math.max(...backMs)).toBeLessThan(backWithinMs);
  expect(load.timeline.wronglyReadyMs).toBeLessThan(WRONGLY_READY_MS);
}
