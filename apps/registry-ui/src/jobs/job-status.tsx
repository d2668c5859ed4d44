import { Progress } from '@mantine/core';
import { Notice } from '../elements/notice.js';
import { text } from '../texts/text.js';
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
      <p className={`numeric ${classes.counts}`} role="status">
        <strong>{text(`job.state.${state}`)}</strong> {countsOf(job).join(' · ')}
      </p>
      {problem && <Notice kind="bad" title={problem.detail} />}
    </div>
  );
}

function countsOf(job: Job): string[] {
  const { state, total, changed, unchanged, failed, dry_run: isTried } = job;
  if (state === 'collecting') return [text('job.found', { count: total })];
  const left = total - changed - unchanged - failed;
  return [
    text(isTried ? 'job.wouldChange' : 'job.changed', { count: changed }),
    ...(unchanged > 0 ? [text('job.unchanged', { count: unchanged })] : []),
    ...(failed > 0 ? [text(isTried ? 'job.wouldFail' : 'job.failed', { count: failed })] : []),
    ...(left > 0 ? [text('job.left', { count: left })] : []),
  ];
}
