import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { text } from '../texts/text.js';
import { focusTitle } from './screen.js';
import classes from './undoable.module.css';

interface Undoable {
  readonly message: string;
  readonly undo: () => void;
}

/** Long enough to read it, notice a mistake and reach the button. */
const SHOWN_MS = 10_000;

const listeners = new Set<() => void>();
let latest: Undoable | undefined;

/** Reports an action and offers to undo it: first in a toast, then wherever `useLatestUndoable` is shown. */
export function showUndoable(message: string, undo: () => void): void {
  setLatest(undefined);
  const undoable = {
    message,
    undo: () => {
      notifications.hide(id);
      setLatest(undefined);
      focusTitle();
      undo();
    },
  };
  const id = notifications.show({
    autoClose: false,
    message: <UndoMessage {...undoable} onTimeUp={() => notifications.hide(id)} />,
    onClose: () => setLatest(undoable),
  });
}

/** The latest action that can still be undone, once its toast is gone. */
export function useLatestUndoable(): Undoable | undefined {
  return useSyncExternalStore(subscribe, () => latest);
}

/** One user's actions are not another's to undo. */
export function forgetUndoable(): void {
  setLatest(undefined);
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

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function setLatest(next: Undoable | undefined): void {
  latest = next;
  for (const notify of listeners) notify();
}
