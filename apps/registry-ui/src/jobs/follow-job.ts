import { CancelledError, type QueryClient } from '@tanstack/react-query';
import { LISTS } from '../api/client-lists.js';
import { invalidateClients } from '../api/invalidate-clients.js';
import { isOpen, readJob, WATCH_MS } from './jobs.js';

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

function keyOf(id: number): readonly unknown[] {
  return ['job-end', id];
}
