import { Button } from '@mantine/core';
import { ApiError } from '../api/api-error.js';
import { text } from '../texts/text.js';
import { Notice } from './notice.js';

interface FailureProps {
  readonly error: Error;
  readonly onRetry?: () => void;
}

/**
 * What went wrong, in place of what could not be shown; the rest of the screen stays. That the session has ended is told by
 * the dialog above, and is no longer so once it is closed.
 */
export function Failure({ error, onRetry }: FailureProps) {
  if (error instanceof ApiError && error.status === 401) return null;
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <Notice kind="bad" role="alert" title={text(titleOf(error))}>
      <p>{error.message}</p>
      {requestId !== undefined && (
        <p>
          {text('error.request')} <span className="mono">{requestId}</span>
        </p>
      )}
      {onRetry && (
        <Button size="xs" variant="default" mt="sm" onClick={onRetry}>
          {text('action.retry')}
        </Button>
      )}
    </Notice>
  );
}

function titleOf(error: Error) {
  if (!(error instanceof ApiError)) return 'error.title';
  if (error.code === 'insufficient_scope') return 'error.forbidden';
  return error.status === 404 ? 'error.absent' : 'error.title';
}
