import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { showToast } from './show-toast.js';
import { useEffect, useRef } from 'react';
import { text } from '../texts/text.js';
import { focusTitle } from './screen.js';
import { createStore } from './store.js';
import classes from './undoable.module.css';

interface Undoable {
  readonly message: string;
  readonly undo: () => void;
}

/** Long enough to read it, notice a mistake and reach the button. */
const SHOWN_MS = 10_000;

const latest = createStore<Undoable | undefined>(undefined);

/** The newest of all that were shown, used or not. */
let newest: Undoable | undefined;

/** Reports an action and offers to undo it once: first in a toast, then wherever `useLatestUndoable` is shown. */
export function showUndoable(message: string, undo: () => void): void {
  latest.set(undefined);
  let used = false;
  const undoable: Undoable = {
    message,
    undo: () => {
      // A second click may come before the button is gone.
      if (used) return;
      used = true;
      notifications.hide(id);
      if (latest.get() === undoable) latest.set(undefined);
      focusTitle();
      undo();
    },
  };
  newest = undoable;
  const id = showToast({
    autoClose: false,
    message: <UndoMessage {...undoable} onTimeUp={() => notifications.hide(id)} />,
    // Its toast may have waited for room until newer ones closed.
    onClose: () => {
      if (newest === undoable) latest.set(undoable);
    },
  });
}

/** The latest action that can still be undone, once its toast is gone. */
export const useLatestUndoable = latest.use;

/** One user's messages and actions are not another's to read or undo. */
export function forgetToasts(): void {
  notifications.clean();
  latest.set(undefined);
}

function UndoMessage({ message, undo, onTimeUp }: Undoable & { readonly onTimeUp: () => void }) {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const timer = setInterval(() => {
      // Not while it is hovered or focused.
      if (place.current?.closest('[role=alert]')?.matches(':hover, :focus-within') !== true) onTimeUp();
    }, SHOWN_MS);
    return () => clearInterval(timer);
  }, [onTimeUp]);
  return (
    <span ref={place} className={classes.undoable}>
      <span className="foreign">{message}</span>
      <Button size="xs" variant="default" onClick={undo}>
        {text('action.undo')}
      </Button>
    </span>
  );
}
