import { CancelledError, type QueryClient } from '@tanstack/react-query';
import { isUnanswered } from '../api/api-error.js';
import { LISTS } from '../api/client-lists.js';
import { invalidateClients } from '../api/invalidate-clients.js';
import { fetchBody } from '../api/request.js';
import { text } from '../texts/bulk.js';
import { isOpen, type Job, jobsQuery, readJob, WATCH_MS } from './jobs.js';

/** A job that has just started is among so many. */
const LATEST = 10;

/**
 * Waits for the response to the start of a job.
 *
 * @throws {ApiError} if the job has not started
 * @throws {Error} if it may have; what it may have changed is refetched
 */
export async function startOf(queries: QueryClient, starting: Promise<Job>): Promise<Job> {
  try {
    return await starting;
  } catch (cause) {
    if (!isUnanswered(cause)) throw cause;
    void renewUnknown(queries);
    throw new Error(text('bulk.unknown.start'), { cause });
  }
}

/** Renews clients and jobs when a job ends, whichever screen is shown by then; until it does, lists are stale. */
export function followJob(queries: QueryClient, id: number): void {
  void queries.invalidateQueries({ ...LISTS, refetchType: 'none' });
  // A query: it is retried, runs once for each job, and ends when the user signs out.
  const end = queries.fetchQuery({
    queryKey: keyOf(id),
    queryFn: async ({ signal }) => {
      do await new Promise((resolve) => setTimeout(resolve, WATCH_MS));
      while (isOpen(await readJob(id, signal)));
      return null;
    },
  });
  const renew = () => renewClients(queries);
  void end.then(renew, (error) => error instanceof CancelledError || renew());
}

/** For a screen that watches the job itself. */
export function stopFollowing(queries: QueryClient, id: number): void {
  void queries.cancelQueries({ queryKey: keyOf(id) });
}

/** Refetches what a job may have changed. */
export function renewClients(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: ['client'] });
  void queries.invalidateQueries({ queryKey: ['job'] });
  invalidateClients(queries);
}

/** Refetches what a job may have changed whose start is unknown: now, and when it ends. */
async function renewUnknown(queries: QueryClient): Promise<void> {
  const latest = fetchBody({ path: '/clients/jobs', query: { limit: LATEST } }).then(({ jobs }) => jobs);
  for (const job of await latest.catch(() => [])) if (isOpen(job)) followJob(queries, job.id);
  void queries.invalidateQueries({ queryKey: jobsQuery.queryKey });
  renewClients(queries);
}

function keyOf(id: number): readonly unknown[] {
  return ['job-end', id];
}
