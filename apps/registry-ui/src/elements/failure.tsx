import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { showToast } from './show-toast.js';
import { ApiError } from '../api/api-error.js';
import { text } from '../texts/text.js';
import { Notice } from './notice.js';

export interface FailureProps {
  readonly error: Error;
  readonly onRetry?: () => void;
  /** Moves the focus to the failure: it answers a button that was just pressed. */
  readonly takesFocus?: boolean;
}

/**
 * Shown in place of what failed to load; the rest of the screen stays. An ended session has its own dialog, so a 401
 * is not repeated here.
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

/** Reports a failure that has no place on the screen; it stays until dismissed. */
export function showFailure(error: Error, title: string = text('error.title')): void {
  // An ended session has its own dialog.
  if (error instanceof ApiError && error.status === 401) return;
  showToast({ color: 'red', autoClose: false, title, message: error.message });
}
