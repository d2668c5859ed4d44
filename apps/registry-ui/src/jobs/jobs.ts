import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Schema } from '@svc/registry-contract';
import { fetchBody } from '../api/request.js';

export type Job = Schema<'Job'>;

/** What to start. The filter is that of a client list: the registry parses its values as in a query string. */
export type NewJob = Omit<Schema<'NewJob'>, 'filter'> & {
  readonly filter?: Readonly<Record<string, string | readonly string[]>>;
};

export type JobResult = Schema<'JobResult'>;
export type ResultKind = JobResult['result'];

const JOBS_PER_PAGE = 50;
const RESULTS_PER_PAGE = 100;

/** Polling interval for open jobs. */
export const WATCH_MS = 1_000;

export function isOpen({ state }: Job): boolean {
  return state === 'collecting' || state === 'running';
}

export function canUndo(job: Job): boolean {
  return !isOpen(job) && !job.dry_run && job.changed > 0 && job.undone_by === undefined;
}

/** Jobs, latest first; watched while one of them is open. */
export const jobsQuery = infiniteQueryOptions({
  queryKey: ['jobs'],
  queryFn: async ({ pageParam, signal }) =>
    fetchBody({ path: '/clients/jobs', query: { limit: JOBS_PER_PAGE, cursor: pageParam }, signal }),
  initialPageParam: undefined as number | undefined,
  getNextPageParam: (page) => page.next,
  refetchInterval: ({ state }) =>
    state.data?.pages.some(({ jobs }) => jobs.some(isOpen)) === true ? WATCH_MS : false,
});

/** One job, watched while it is open. */
export function jobQuery(id: number) {
  return queryOptions({
    queryKey: ['job', id],
    queryFn: async ({ signal }) => readJob(id, signal),
    refetchInterval: ({ state: { data, error } }) => (error || (data && !isOpen(data)) ? false : WATCH_MS),
  });
}

export function resultsQuery(id: number, result: ResultKind | undefined) {
  return infiniteQueryOptions({
    queryKey: ['job', id, 'results', result],
    queryFn: async ({ pageParam, signal }) =>
      fetchBody({
        path: '/clients/jobs/{id}/results',
        params: { id },
        query: { limit: RESULTS_PER_PAGE, cursor: pageParam, result },
        signal,
      }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => page.next,
  });
}

export async function readJob(id: number, signal?: AbortSignal): Promise<Job> {
  return fetchBody({ path: '/clients/jobs/{id}', params: { id }, ...(signal && { signal }) });
}

export async function startJob(body: NewJob): Promise<Job> {
  return fetchBody({ method: 'POST', path: '/clients/jobs', body: body as Schema<'NewJob'> });
}

export async function cancelJob(id: number): Promise<Job> {
  return fetchBody({ method: 'POST', path: '/clients/jobs/{id}/cancel', params: { id } });
}

export async function undoJob(id: number): Promise<Job> {
  return fetchBody({ method: 'POST', path: '/clients/jobs/{id}/undo', params: { id } });
}
