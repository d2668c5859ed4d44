import { Button, Group, Skeleton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../elements/empty-state.js';
import { Failure } from '../elements/failure.js';
import { RelativeTime } from '../elements/relative-time.js';
import { Screen } from '../elements/screen.js';
import { text } from '../texts/jobs.js';
import { useJobScope, useJobTitle } from './describe-job.js';
import { JobActions } from './job-actions.js';
import { JobStatus } from './job-status.js';
import { type Job, jobsQuery } from './jobs.js';
import classes from './jobs.module.css';
import { useRenewal } from './use-jobs.js';

/** Changes of many clients: what is under way, and what can be undone. */
export function ActivityScreen() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery(jobsQuery);
  const jobs = data?.pages.flatMap((page) => page.jobs);
  return (
    <Screen title={text('activity.title')} lead={text('activity.lead')}>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!jobs && !error && <Skeleton height={240} radius="lg" />}
      {jobs?.length === 0 && (
        <EmptyState
          icon="clock"
          title={text('activity.none')}
          action={
            <Button variant="default" renderRoot={(props) => <Link to="/clients" {...props} />}>
              {text('activity.none.do')}
            </Button>
          }
        >
          {text('activity.none.how')}
        </EmptyState>
      )}
      <ul className={classes.jobs} aria-label={text('activity.title')}>
        {jobs?.map((job) => (
          <JobEntry key={job.id} job={job} />
        ))}
      </ul>
      {hasNextPage && (
        <Group>
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {text('activity.older')}
          </Button>
        </Group>
      )}
    </Screen>
  );
}

function JobEntry({ job }: { readonly job: Job }) {
  useRenewal(job);
  const titleOf = useJobTitle();
  return (
    <li className={classes.job}>
      <div className={classes.head}>
        <div>
          <Link to="/activity/$jobId" params={{ jobId: String(job.id) }} className={classes.title}>
            {titleOf(job)}
          </Link>
          <JobOrigin job={job} />
        </div>
        <JobActions job={job} size="xs" />
      </div>
      <JobStatus job={job} />
    </li>
  );
}

/** Which clients a job covers, when it started and who started it. */
export function JobOrigin({ job }: { readonly job: Job }) {
  const scope = useJobScope()(job);
  return (
    <div className="hint foreign">
      {scope !== undefined && <div>{scope}</div>}
      <RelativeTime at={job.created_at} /> {text('deleted.by', { by: job.created_by.name })}
    </div>
  );
}
