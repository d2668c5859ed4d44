import { Group } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { Icon } from '../elements/icon.js';
import { ScopedButton } from '../elements/scopes.js';
import { showToast } from '../elements/show-toast.js';
import { text } from '../texts/jobs.js';
import { useJobTitle } from './describe-job.js';
import { canUndo, isOpen, type Job } from './jobs.js';
import { useCancel, useUndo } from './use-jobs.js';

const SCOPE = 'clients:write';

/** Cancels a job that is open, or undoes one that has ended. */
export function JobActions({ job, size }: { readonly job: Job; readonly size?: 'xs' }) {
  const router = useRouter();
  const titleOf = useJobTitle();
  const cancel = useCancel();
  const undo = useUndo((started) => {
    // Another screen, opened meanwhile, stays.
    if (router.matchRoute({ to: '/activity' }, { fuzzy: true, includeSearch: false }) === false)
      showToast({ message: titleOf(started) });
    else void router.navigate({ to: '/activity/$jobId', params: { jobId: String(started.id) } });
  });
  const title = titleOf(job);
  const common = { scope: SCOPE, variant: 'default', ...(size && { size }) };
  return (
    <Group gap="xs">
      {isOpen(job) && (
        <ScopedButton
          {...common}
          leftSection={<Icon name="cross" />}
          aria-label={text('job.cancel.named', { title })}
          loading={cancel.isPending}
          onClick={() => cancel.mutate(job.id)}
        >
          {text('job.cancel')}
        </ScopedButton>
      )}
      {canUndo(job) && (
        <ScopedButton
          {...common}
          leftSection={<Icon name="undo" />}
          aria-label={text('job.undo.named', { title })}
          loading={undo.isPending}
          onClick={() => undo.mutate(job.id)}
        >
          {text('action.undo')}
        </ScopedButton>
      )}
    </Group>
  );
}
