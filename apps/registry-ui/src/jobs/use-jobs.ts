import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { invalidateClients } from '../api/invalidate-clients.js';
import { useSingleMutation } from '../api/single-mutation.js';
import { showFailure } from '../elements/failure.js';
import { cancelJob, isOpen, type Job, jobsQuery, startJob, undoJob } from './jobs.js';

/** Starts a job. @param onStarted shows it */
export function useStart(onStarted: (job: Job) => void) {
  const queries = useQueryClient();
  return useSingleMutation({
    mutationFn: startJob,
    onSuccess: (job: Job) => {
      void queries.invalidateQueries({ queryKey: jobsQuery.queryKey });
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
      onStarted(job);
    },
    onError: (error) => showFailure(error),
  });
}

/** Refetches clients and jobs when a watched job ends, even if that was before the job was first read. */
export function useRenewal(job: Job | undefined): void {
  const queries = useQueryClient();
  const wasOpen = useRef(true);
  const open = job && isOpen(job);
  useEffect(() => {
    if (open === undefined) return;
    if (wasOpen.current && !open) {
      void queries.invalidateQueries({ queryKey: ['client'] });
      void queries.invalidateQueries({ queryKey: ['job'] });
      invalidateClients(queries);
    }
    wasOpen.current = open;
  }, [open, queries]);
}

function renewJobs(queries: QueryClient): () => void {
  return () => {
    for (const name of ['jobs', 'job']) void queries.invalidateQueries({ queryKey: [name] });
  };
}
