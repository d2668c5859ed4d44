import { type ReactNode, useEffect, useRef } from 'react';
import { Failure } from './failure.js';
import classes from './foot-bar.module.css';
import { useHeightAs } from './use-height-as.js';

interface FootBarProps {
  /** Why the last attempt failed. */
  readonly failure: Error | undefined;
  /** What Ctrl-S, Command-S and **Try again** do; absent while it is not possible. */
  readonly onSave: (() => void) | undefined;
  /** Buttons and a summary of the form's state. */
  readonly children: ReactNode;
}

/** The sticky footer of a form. A failure is shown here, next to the button that was pressed. */
export function FootBar({ failure, onSave, children }: FootBarProps) {
  const measured = useHeightAs('--foot-height');
  const bar = useSaveKey(onSave);
  return (
    <div ref={measured} className={classes.foot}>
      {failure && (
        <div className={classes.failure}>
          <Failure error={failure} {...(onSave && { onRetry: onSave })} takesFocus />
        </div>
      )}
      <div ref={bar} className={classes.actions}>
        {children}
      </div>
    </div>
  );
}

/**
 * Saves on Ctrl-S, or Command-S on a Mac, from anywhere on the screen.
 *
 * @returns the ref of an element of the form: a form that is hidden or behind a dialog is not saved
 */
function useSaveKey(onSave: (() => void) | undefined) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      if (event.key.toLowerCase() !== 's' || !place.current?.checkVisibility()) return;
      // The browser would save the page.
      event.preventDefault();
      if (!event.repeat && !document.querySelector('[aria-modal=true]')) onSave?.();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [onSave]);
  return place;
}
