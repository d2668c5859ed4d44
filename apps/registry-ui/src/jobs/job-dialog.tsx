import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useEffect, useState } from 'react';
import { Dialog } from '../elements/dialog.js';
import { Failure } from '../elements/failure.js';
import { Differences } from '../history/differences.js';
import { text } from '../texts/jobs.js';
import { useJobTitle } from './describe-job.js';
import { JobStatus } from './job-status.js';
import { cancelJob, isOpen, type Job, jobQuery, type NewJob, resultsQuery, startJob } from './jobs.js';
import classes from './jobs.module.css';
import { useIsStarting, useStart } from './use-jobs.js';

/** Clients whose changes, or failures, are shown. */
const SHOWN = 5;

interface JobDialogProps {
  /** What to do, once it is confirmed. */
  readonly job: NewJob;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Shows what a job would change, by a dry run, before it starts. */
export function JobDialog({ job, opened, onClose }: JobDialogProps) {
  const titleOf = useJobTitle();
  return (
    <Dialog
      opened={opened}
      title={titleOf(job)}
      size="lg"
      guarded={useIsStarting()}
      hasInputs={job.action === 'delete'}
      onClose={onClose}
    >
      <JobPreview job={job} onClose={onClose} />
    </Dialog>
  );
}

/** What a job would change, and its start. */
export function JobPreview({ job, onClose }: Omit<JobDialogProps, 'opened'>) {
  const { tried, error, retry } = useDryRun(job);
  const titleOf = useJobTitle();
  const navigate = useNavigate();
  const start = useStart(({ id }) => {
    onClose();
    void navigate({ to: '/activity/$jobId', params: { jobId: String(id) } });
  }, onClose);
  const [typed, setTyped] = useState('');
  const isKnown = !error && tried !== undefined && !isOpen(tried);
  const count = isKnown ? tried.changed : 0;
  const confirmed = count > 0 && (job.action !== 'delete' || typed.trim() === String(count));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    // The clients that match may have changed since the preview.
    if (confirmed && tried) start.mutate({ ...job, expected_total: tried.total });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {tried ? <JobStatus job={tried} /> : !error && <Text c="dimmed">{text('job.trying')}</Text>}
        {tried && !isOpen(tried) && <Sample job={tried} />}
        {job.action === 'delete' && count > 0 && (
          <DeletionCheck count={count} typed={typed} onType={setTyped} />
        )}
        {error && <Failure error={error} onRetry={retry} takesFocus />}
        {start.error && <Failure error={start.error} takesFocus />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" disabled={start.isPending} onClick={onClose} data-autofocus>
            {text('action.cancel')}
          </Button>
          <Button
            type="submit"
            disabled={!confirmed}
            loading={start.isPending}
            {...(job.action === 'delete' && { color: 'red' })}
          >
            {isKnown ? startLabel(job, count) : titleOf(job)}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface DeletionCheckProps {
  readonly count: number;
  readonly typed: string;
  readonly onType: (typed: string) => void;
}

/** Asks for the number of clients. */
function DeletionCheck({ count, typed, onType }: DeletionCheckProps) {
  return (
    <>
      <Text>{text('bulk.delete.what')}</Text>
      <TextInput
        label={text('bulk.delete.type', { count })}
        value={typed}
        onChange={(event) => onType(event.currentTarget.value)}
        inputMode="numeric"
        autoComplete="off"
      />
    </>
  );
}

function startLabel(job: NewJob, count: number): string {
  return count === 0 ? text('job.start.none') : text(`job.start.${job.action}`, { count });
}

interface DryRun {
  readonly tried: Job | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** Dry-runs a job; cancels the run if the dialog closes before it ends. */
function useDryRun(job: NewJob): DryRun {
  const started = useQuery({
    queryKey: ['job-preview', job],
    queryFn: async ({ signal }) => {
      const dryRun = await startJob({ ...job, dry_run: true });
      // The dialog was closed before the job had an id to cancel it by.
      if (signal.aborted) void cancelJob(dryRun.id).catch(() => undefined);
      return dryRun;
    },
    ...{ gcTime: 0, staleTime: Infinity, refetchOnWindowFocus: false, refetchOnReconnect: false },
  });
  const id = started.data?.id;
  const watched = useQuery({ ...jobQuery(id ?? 0), enabled: id !== undefined });
  const tried = watched.data ?? started.data;
  const abandoned = tried && isOpen(tried) ? id : undefined;
  useEffect(() => {
    if (abandoned === undefined) return undefined;
    return () => void cancelJob(abandoned).catch(() => undefined);
  }, [abandoned]);
  const retry = () => void (started.error ? started : watched).refetch();
  return { tried, error: started.error ?? watched.error, retry };
}

/** The first clients that would change, and the first that cannot. */
function Sample({ job }: { readonly job: Job }) {
  const changed = useInfiniteQuery({ ...resultsQuery(job.id, 'changed'), enabled: job.changed > 0 });
  const failed = useInfiniteQuery({ ...resultsQuery(job.id, 'failed'), enabled: job.failed > 0 });
  const listed = [changed, failed].flatMap(({ data }) => data?.pages[0]?.results.slice(0, SHOWN) ?? []);
  if (listed.length === 0) return null;
  const more = job.changed + job.failed - listed.length;
  return (
    <ul className={classes.sample} tabIndex={0} aria-label={text('job.sample')}>
      {listed.map(({ client_id: id, client_name: name, changes, problem }) => (
        <li key={id}>
          <strong>
            <bdi className="foreign">{name ?? id}</bdi>
          </strong>
          {changes && <Differences changed={changes} />}
          {problem && <div className="hint foreign">{problem.detail}</div>}
        </li>
      ))}
      {more > 0 && <li>{text('list.more', { count: more })}</li>}
    </ul>
  );
}
