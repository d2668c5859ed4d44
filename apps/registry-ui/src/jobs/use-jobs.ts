import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSingleMutation } from '../api/single-mutation.js';
import { showFailure } from '../elements/failure.js';
import { followJob, renewClients, stopFollowing } from './follow-job.js';
import { cancelJob, isOpen, type Job, jobsQuery, startJob, undoJob } from './jobs.js';

/** Starts a job. @param onStarted shows it */
export function useStart(onStarted: (job: Job) => void) {
  const queries = useQueryClient();
  return useSingleMutation({
    mutationFn: startJob,
    onSuccess: (job: Job) => {
      void queries.invalidateQueries({ queryKey: jobsQuery.queryKey });
      followJob(queries, job.id);
      onStarted(job);
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
    mutationFn: undoJob,
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
