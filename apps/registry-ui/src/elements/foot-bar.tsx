import type { ReactNode } from 'react';
import { Failure } from './failure.js';
import classes from './foot-bar.module.css';
import { useHeightAs } from './use-height-as.js';

interface FootBarProps {
  /** Why the last attempt failed. */
  readonly failure: Error | undefined;
  /** Makes the same attempt again. */
  readonly onRetry: () => void;
  /** Buttons, and the state of the form in short. */
  readonly children: ReactNode;
}

/** The bar that sticks to the foot of a form. A failure stands in it, next to the button that was pressed, however long the form. */
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
