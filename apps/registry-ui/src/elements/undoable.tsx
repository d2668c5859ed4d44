import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { text } from '../texts/text.js';
import { focusTitle } from './screen.js';
import classes from './undoable.module.css';

/** Something that was done, and can be undone. */
interface Undoable {
  readonly message: string;
  readonly undo: () => void;
}

/** Long enough to read it, notice the mistake and reach for the button. */
const SHOWN_MS = 10_000;

const listeners = new Set<() => void>();
let latest: Undoable | undefined;

/** Says what was done, and offers to undo it: for a while in a message, then wherever `useLatestUndoable` shows it. */
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

/** What was done last and can still be undone, once its message is gone. */
export function useLatestUndoable(): Undoable | undefined {
  return useSyncExternalStore(subscribe, () => latest);
}

/** What another person has done is not theirs to undo. */
export function forgetUndoable(): void {
  setLatest(undefined);
}

function UndoMessage({ message, undo, onTimeUp }: Undoable & { readonly onTimeUp: () => void }) {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const timer = setInterval(() => {
      // Not while it is pointed at, or has the focus.
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
