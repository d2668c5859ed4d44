import { CatchBoundary, type ErrorComponentProps } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { showFailure } from './failure.js';
import { CodeLoadError } from './load-code.js';

interface OnDemandProps {
  /** How often the part was opened, if it stays mounted when it closes: each opening is a new attempt. */
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
    <CatchBoundary getResetKey={() => openings} errorComponent={NotLoaded} onCatch={report}>
      <Suspense>{children}</Suspense>
    </CatchBoundary>
  );
}

/** Renders nothing. @throws {Error} if the part itself crashed, for the screen to report */
function NotLoaded({ error }: ErrorComponentProps): ReactNode {
  if (error instanceof CodeLoadError) return null;
  throw error;
}
