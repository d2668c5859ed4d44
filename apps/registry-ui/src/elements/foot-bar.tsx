import type { ReactNode } from 'react';
import { Failure } from './failure.js';
import classes from './foot-bar.module.css';
import { useHeightAs } from './use-height-as.js';

interface FootBarProps {
  /** Why the last attempt failed. */
  readonly failure: Error | undefined;
  readonly onRetry: () => void;
  /** Buttons and a summary of the form's state. */
  readonly children: ReactNode;
}

/** The sticky footer of a form. A failure is shown here, next to the button that was pressed. */
export function FootBar({ failure, onRetry, children }: FootBarProps) {
  const measured = useHeightAs('--foot-height');
  return (
    <div ref={measured} className={classes.foot}>
      {failure && (
        <div className={classes.failure}>
          <Failure error={failure} onRetry={onRetry} takesFocus />
        </div>
      )}
      <div className={classes.actions}>{children}</div>
    </div>
  );
}
