import { Progress, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { Notice } from '../elements/notice.js';
import { optionalText, text } from '../texts/jobs.js';
import { isOpen, type Job } from './jobs.js';
import classes from './jobs.module.css';

/** How far a job is, what it has done, and why it failed. */
export function JobStatus({ job }: { readonly job: Job }) {
  const { state, total, changed, unchanged, failed, problem } = job;
  const done = changed + unchanged + failed;
  return (
    <div className={classes.status}>
      {isOpen(job) && (
        <Progress
          value={state === 'collecting' || total === 0 ? 0 : (100 * done) / total}
          aria-label={text('job.progress')}
        />
      )}
      <p className={`numeric ${classes.counts}`}>
        <strong>{text(`job.state.${state}`)}</strong> {countsOf(job).join(' · ')}
      </p>
      <Announcement job={job} />
      {problem && <JobProblem problem={problem} />}
    </div>
  );
}

/** Why the job failed: in words of the console where there is more to say than the registry's sentence. */
function JobProblem({ problem: { error, detail } }: { readonly problem: NonNullable<Job['problem']> }) {
  const title = optionalText(`job.problem.${error}`);
  return (
    <Notice kind="bad" title={title ?? detail}>
      {title !== undefined && detail}
    </Notice>
  );
}

/** For screen readers: speaks when the state changes and at each quarter, not with every update. */
function Announcement({ job }: { readonly job: Job }) {
  const { state, total, changed, unchanged, failed } = job;
  const quarter = state === 'running' ? Math.floor((4 * (changed + unchanged + failed)) / total) : 0;
  const step = `${state} ${quarter}`;
  const [spoken, setSpoken] = useState({ step: '', words: '' });
  if (spoken.step !== step) {
    setSpoken({ step, words: [text(`job.state.${state}`), ...countsOf(job)].join(' · ') });
  }
  return <VisuallyHidden role="status">{spoken.words}</VisuallyHidden>;
}

function countsOf(job: Job): string[] {
  const { state, total, changed, unchanged, failed, dry_run: isTried } = job;
  if (state === 'collecting') return [text('job.found', { count: total })];
  const left = total - changed - unchanged - failed;
  return [
    text(isTried ? 'job.wouldChange' : 'job.changed', { count: changed }),
    ...(unchanged > 0 ? [text('job.unchanged', { count: unchanged })] : []),
    ...(failed > 0 ? [text(isTried ? 'job.wouldFail' : 'job.failed', { count: failed })] : []),
    ...(left > 0 ? [text(isOpen(job) ? 'job.left' : 'job.notDone', { count: left })] : []),
  ];
}
