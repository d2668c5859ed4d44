import { Group } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useRef } from 'react';
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
  const cancel = useCancel();
  const from = useRef<string>(undefined);
  const undo = useUndo(({ id }) => {
    // Another screen, opened meanwhile, stays.
    if (router.latestLocation.pathname !== from.current)
      showToast({ message: text('job.undo.started', { id: job.id }) });
    else void router.navigate({ to: '/activity/$jobId', params: { jobId: String(id) } });
  });
  const title = useJobTitle()(job);
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
          onClick={() => {
            from.current = router.latestLocation.pathname;
            undo.mutate(job.id);
          }}
        >
          {text('action.undo')}
        </ScopedButton>
      )}
    </Group>
  );
}
