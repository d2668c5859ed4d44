import { Button, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Dialog } from '../elements/dialog.js';
import { Failure } from '../elements/failure.js';
import { text } from '../texts/recommendations.js';
import { Differences } from '../history/differences.js';
import type { ClientChange } from './operations.js';
import classes from './recommendations.module.css';
import { preview } from './use-apply.js';

interface ApplyDialogProps {
  readonly changes: readonly ClientChange[];
  readonly opened: boolean;
  readonly pending: boolean;
  readonly error: Error | null;
  readonly onApply: () => void;
  readonly onClose: () => void;
}

/** Shows what would change, and which of it can no longer be applied. */
export function ApplyDialog({ changes, opened, pending, error, onApply, onClose }: ApplyDialogProps) {
  const tried = useQuery({
    queryKey: ['recommendations-preview', changes],
    queryFn: async ({ signal }) => preview(changes, signal),
    // After a failure the changes may have been made, and would no longer be possible.
    enabled: opened && changes.length > 0 && !error,
    gcTime: 0,
  });
  const problem = (index: number) => tried.data?.results[index]?.problem?.detail;
  const title = text('recommendations.apply.title', { count: changes.length });
  return (
    <Dialog opened={opened} title={title} size="lg" guarded={pending} onClose={onClose}>
      <Stack gap="md">
        <ul className={classes.changes} tabIndex={0} aria-label={title}>
          {changes.map((change, index) => (
            <li key={change.clientId}>
              <ChangeLines change={change} problem={problem(index)} />
            </li>
          ))}
        </ul>
        {error && <Failure error={error} takesFocus />}
        {tried.error && !error && (
          <Failure error={tried.error} onRetry={() => void tried.refetch()} takesFocus />
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" disabled={pending} onClick={onClose} data-autofocus>
            {text('action.cancel')}
          </Button>
          <Button loading={pending} disabled={(tried.data?.succeeded ?? 0) === 0} onClick={onApply}>
            {text('recommendations.apply')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

interface ChangeLinesProps {
  readonly change: ClientChange;
  /** Why it can no longer be applied. */
  readonly problem: string | undefined;
}

function ChangeLines({ change: { name, operation, replaces = {} }, problem }: ChangeLinesProps) {
  const changed = Object.entries(operation.patch ?? {}).map(([field, after]) => ({
    field,
    before: replaces[field],
    after,
  }));
  return (
    <>
      <strong>
        <bdi className="foreign">{name}</bdi>
      </strong>
      {operation.op === 'disable' && <div>{text('client.disable')}</div>}
      <Differences changed={changed} />
      {problem !== undefined && <div className="hint">{problem}</div>}
    </>
  );
}
