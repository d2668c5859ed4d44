import { showToast } from '../elements/show-toast.js';
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/api-error.js';
import { patchLists, renewLists } from '../api/client-lists.js';
import { invalidateClients, invalidateDependents } from '../api/invalidate-clients.js';
import { fetchBody } from '../api/request.js';
import { useSingleMutation } from '../api/single-mutation.js';
import { showFailure } from '../elements/failure.js';
import { showUndoable } from '../elements/undoable.js';
import { startOf } from '../jobs/follow-job.js';
import { isOpen, type Job, jobQuery, type JobResult, startJob, undoJob } from '../jobs/jobs.js';
import { text } from '../texts/bulk.js';

type BulkAction = 'enable' | 'disable' | 'delete';

/** As many as one page of results has. */
const MAX_RESULTS = 500;

const FIRST_LOOK_MS = 100;
const LONGEST_PAUSE_MS = 1_000;

interface Done {
  readonly job: Job;
  readonly results: readonly JobResult[];
}

/** Waits for the end of a job of the selected clients. @throws {Error} if its outcome cannot be read; 401 as it is */
async function endOf(queries: QueryClient, started: Job): Promise<Done> {
  try {
    let job = started;
    for (let pause = FIRST_LOOK_MS; isOpen(job); pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      await new Promise((resolve) => {
        setTimeout(resolve, pause);
      });
      // A query, so that it is retried.
      job = await queries.fetchQuery({ ...jobQuery(job.id), staleTime: 0 });
    }
    return { job, results: await queries.fetchQuery(resultsOf(job)) };
  } catch (cause) {
    invalidateClients(queries);
    // An ended session has its own dialog.
    if (cause instanceof ApiError && cause.status === 401) throw cause;
    throw new Error(text('bulk.unknown'), { cause });
  } finally {
    void queries.invalidateQueries({ queryKey: ['client'] });
    void queries.invalidateQueries({ queryKey: ['jobs'] });
  }
}

function resultsOf({ id }: Job) {
  return queryOptions({
    queryKey: ['job', id, 'all-results'],
    queryFn: async () => {
      const query = { limit: MAX_RESULTS };
      return (await fetchBody({ path: '/clients/jobs/{id}/results', params: { id }, query })).results;
    },
  });
}

function changedIn({ results }: Done): string[] {
  return results.filter(({ result }) => result === 'changed').map(({ client_id: id }) => id);
}

interface BulkRequest {
  readonly action: BulkAction;
  readonly clientIds: readonly string[];
}

const PENDING = { pending: 'true' };

const OPPOSITES = { enable: 'disable', disable: 'enable' } as const;

/**
 * Applies one action to the selected clients, reports the result, and offers to undo it, here and under Activity.
 *
 * @param approves whether enabling includes clients that await approval
 * @param onDone called after an action and after a deletion whose outcome is unknown, but not after an undo
 */
export function useBulk(approves: boolean, onDone: () => void) {
  const queries = useQueryClient();
  const undo = useMutation({
    mutationFn: async ({ job }: { readonly job: Job; readonly action: 'enable' | 'disable' }) =>
      endOf(queries, await startOf(queries, undoJob(job.id))),
    onSuccess: (done, { action }) => {
      showInLists(queries, done, action);
      report(done, action);
    },
    onError: (error) => showFailure(error),
  });
  return useSingleMutation({
    mutationFn: async ({ action, clientIds }: BulkRequest) => {
      const job = { action, client_ids: clientIds, ...(approves && { filter: PENDING }) };
      return endOf(queries, await startOf(queries, startJob(job)));
    },
    onSuccess: (done, { action }) => {
      showInLists(queries, done, action);
      report(done, action, (opposite) => undo.mutate({ job: done.job, action: opposite }));
      onDone();
    },
    onError: (error, { action }) => {
      // The confirmation dialog shows it.
      if (action === 'delete' && error instanceof ApiError) return;
      showFailure(error);
      // The clients, and the dialog with them, go as soon as the list is refetched.
      if (action === 'delete') onDone();
    },
  });
}

/** Says how many of the selected clients are left out, because they await approval. */
export function showAwaiting(count: number): void {
  showToast({ message: text('bulk.enable.awaiting', { count }) });
}

/** The exact modification times come with the next response. */
function showInLists(queries: QueryClient, done: Done, action: BulkAction): void {
  // What the lists show is no longer so: an earlier attempt may have succeeded.
  if (done.job.changed === 0) return invalidateClients(queries);
  if (action === 'delete') renewLists(queries, changedIn(done));
  else {
    const patch = { enabled: action === 'enable', updated_at: new Date().toISOString() };
    patchLists(queries, changedIn(done), patch);
  }
  invalidateDependents(queries);
}

function report(done: Done, action: BulkAction, undo?: (opposite: 'enable' | 'disable') => void): void {
  const { changed: count, failed, problem } = done.job;
  const message = text(`bulk.${action}.done`, { count });
  if (action === 'delete' || count === 0 || !undo) showToast({ message });
  else showUndoable(message, () => undo(OPPOSITES[action]));
  const first = problem ?? done.results.find((result) => result.problem)?.problem;
  if (first) showFailure(new Error(first.detail), text('bulk.failed', { count: failed }));
}
