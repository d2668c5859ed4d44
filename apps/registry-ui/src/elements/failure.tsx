import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { notifications } from '@mantine/notifications';
import { ApiError } from '../api/api-error.js';
import { text } from '../texts/text.js';
import { Notice } from './notice.js';

export interface FailureProps {
  readonly error: Error;
  readonly onRetry?: () => void;
  /** It answers something that was just pressed: the focus goes to it, and so it is in sight. */
  readonly takesFocus?: boolean;
}

/**
 * What went wrong, in place of what could not be shown; the rest of the screen stays. That the session has ended is told by
 * the dialog above, and is no longer so once it is closed.
 */
export function Failure({ error, onRetry, takesFocus = false }: FailureProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) place.current?.focus();
  }, [takesFocus, error]);
  if (error instanceof ApiError && error.status === 401) return null;
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <Notice kind="bad" role="alert" title={text(titleOf(error))} ref={takesFocus ? place : undefined}>
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

/** Says what went wrong where no place on the screen stands for it, until it is closed. */
export function showFailure(error: Error, title: string = text('error.title')): void {
  // That the session has ended is said by the dialog above.
  if (error instanceof ApiError && error.status === 401) return;
  notifications.show({ color: 'red', autoClose: false, title, message: error.message });
}
