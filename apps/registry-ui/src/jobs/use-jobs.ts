import { useIsMutating, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiError } from '../api/api-error.js';
import { useSingleMutation } from '../api/single-mutation.js';
import { showFailure } from '../elements/failure.js';
import { followJob, renewClients, startOf, stopFollowing } from './follow-job.js';
import { cancelJob, isOpen, type Job, jobsQuery, type NewJob, startJob, undoJob } from './jobs.js';

const START_KEY = ['start-job'];

/** Whether a job is being started: its dialog stays until the outcome is known. */
export function useIsStarting(): boolean {
  return useIsMutating({ mutationKey: START_KEY }) > 0;
}

/** Starts a job. @param onStarted shows it @param onUnknown called after reporting that it may have started */
export function useStart(onStarted: (job: Job) => void, onUnknown: () => void) {
  const queries = useQueryClient();
  return useSingleMutation({
    mutationKey: START_KEY,
    mutationFn: async (job: NewJob) => startOf(queries, startJob(job)),
    onSuccess: (job: Job) => {
      void queries.invalidateQueries({ queryKey: jobsQuery.queryKey });
      followJob(queries, job.id);
      onStarted(job);
    },
    onError: (error) => {
      // The dialog shows it.
      if (error instanceof ApiError) return;
      showFailure(error);
      onUnknown();
    },
  });
}

/** Stops a job; what it has changed stays. */
export function useCancel() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: cancelJob,
    onSuccess: renewJobs(queries),
    onError: (error) => showFailure(error),
  });
}

/** Undoes a job. @param onStarted shows the job that does it */
export function useUndo(onStarted: (job: Job) => void) {
  const queries = useQueryClient();
  return useSingleMutation({
    mutationFn: async (id: number) => startOf(queries, undoJob(id)),
    onSuccess: (job) => {
      renewJobs(queries)();
      followJob(queries, job.id);
      onStarted(job);
    },
    onError: (error) => showFailure(error),
  });
}

/** Refetches clients and jobs when a shown job ends, even if that was before it was first read, or after leaving it. */
export function useRenewal(job: Job | undefined): void {
  const queries = useQueryClient();
  const id = job?.id;
  const open = job && isOpen(job);
  useEffect(() => {
    if (id === undefined) return undefined;
    stopFollowing(queries, id);
    if (open) return () => followJob(queries, id);
    renewClients(queries);
    return undefined;
  }, [id, open, queries]);
}

function renewJobs(queries: QueryClient): () => void {
  return () => {
    for (const name of ['jobs', 'job']) void queries.invalidateQueries({ queryKey: [name] });
  };
}
