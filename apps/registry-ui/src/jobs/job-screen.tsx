import { Button, Group, NativeSelect, Skeleton, Stack } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataColumn, DataTable } from '../elements/data-table.js';
import { Failure } from '../elements/failure.js';
import { Screen } from '../elements/screen.js';
import { Differences } from '../history/differences.js';
import { text } from '../texts/jobs.js';
import { JobOrigin } from './activity-screen.js';
import { useJobTitle } from './describe-job.js';
import { JobActions } from './job-actions.js';
import { JobStatus } from './job-status.js';
import { isOpen, type Job, jobQuery, type JobResult, type ResultKind, resultsQuery } from './jobs.js';
import classes from './jobs.module.css';
import { useRenewal } from './use-jobs.js';

const route = getRouteApi('/activity/$jobId');

const KINDS: readonly ResultKind[] = ['changed', 'unchanged', 'failed', 'pending'];

/** One job: how far it is, and what became of each client. */
export function JobScreen() {
  const { jobId } = route.useParams();
  const { data: job, error, refetch } = useQuery(jobQuery(Number(jobId)));
  useRenewal(job);
  const titleOf = useJobTitle();
  return (
    <Screen
      title={job ? titleOf(job) : text('job.title', { id: jobId })}
      lead={job && <JobOrigin job={job} />}
      above={
        <nav aria-label={text('job.back')} className={classes.back}>
          <Link to="/activity">{text('activity.title')}</Link>
        </nav>
      }
      actions={job && <JobActions job={job} />}
    >
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!job && !error && <Skeleton height={240} radius="lg" />}
      {job && (
        <Stack gap="md">
          <JobStatus job={job} />
          <JobLinks job={job} />
          {!isOpen(job) && job.total > 0 && <Results key={job.id} job={job} />}
        </Stack>
      )}
    </Screen>
  );
}

/** Between a job and its undo. */
function JobLinks({ job: { undoes, undone_by: undoneBy } }: { readonly job: Job }) {
  const linked = undoes ?? undoneBy;
  if (linked === undefined) return null;
  return (
    <Link to="/activity/$jobId" params={{ jobId: String(linked) }}>
      {text(undoes === undefined ? 'job.undoneBy' : 'job.undoes')}
    </Link>
  );
}

function Results({ job }: { readonly job: Job }) {
  const [kind, setKind] = useState<ResultKind | undefined>(job.failed > 0 ? 'failed' : undefined);
  const query = useInfiniteQuery(resultsQuery(job.id, kind));
  const results = query.data?.pages.flatMap((page) => page.results) ?? [];
  const choices = [
    { value: '', label: text('job.results.all') },
    ...KINDS.map((value) => ({ value, label: text(`job.result.${value}`) })),
  ];
  return (
    <>
      <NativeSelect
        className={classes.choice}
        label={text('job.results.show')}
        data={choices}
        value={kind ?? ''}
        onChange={({ currentTarget: { value } }) => setKind(value === '' ? undefined : (value as ResultKind))}
      />
      {query.error && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && results.length === 0 && <p className="hint">{text('job.results.none')}</p>}
      {results.length > 0 && (
        <DataTable
          label={text('job.results')}
          columns={COLUMNS}
          rows={results}
          keyOf={({ client_id }) => client_id}
        />
      )}
      {query.hasNextPage && (
        <Group>
          <Button
            variant="default"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {text('job.results.more')}
          </Button>
        </Group>
      )}
    </>
  );
}

const COLUMNS: readonly DataColumn<JobResult>[] = [
  {
    name: text('job.column.client'),
    cell: ({ client_id: clientId, client_name: name }) => (
      <Link to="/clients/$clientId" params={{ clientId }} className="foreign">
        <bdi>{name ?? clientId}</bdi>
      </Link>
    ),
  },
  { name: text('job.column.result'), cell: ({ result }) => text(`job.result.${result}`) },
  {
    name: text('job.column.why'),
    cell: ({ problem, changes }) => (
      <>
        {problem && <span className="foreign">{problem.detail}</span>}
        {changes && <Differences changed={changes} />}
      </>
    ),
  },
];
