import { CatchBoundary, type ErrorComponentProps } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { showFailure } from './failure.js';
import { CodeLoadError } from './load-code.js';

interface OnDemandProps {
  /** Number of times that a part was opened which stays mounted when it closes: each is a new attempt. */
  readonly openings?: number;
  readonly onFail: () => void;
  readonly children: ReactNode;
}

/**
 * A menu or dialog whose code is loaded when it opens. If loading fails, a toast says so: an error screen would lose what was
 * entered, or a secret that is shown only once.
 */
export function OnDemand({ openings = 1, onFail, children }: OnDemandProps) {
  const report = (error: unknown) => {
    if (!(error instanceof CodeLoadError)) return;
    showFailure(error);
    onFail();
  };
  return (
    <CatchBoundary getResetKey={() => openings} errorComponent={Nothing} onCatch={report}>
      <Suspense>{children}</Suspense>
    </CatchBoundary>
  );
}

/** @throws any other error, for the screen to show */
function Nothing({ error }: ErrorComponentProps): ReactNode {
  if (error instanceof CodeLoadError) return null;
  throw error;
}
