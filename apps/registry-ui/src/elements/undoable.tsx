import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { text } from '../texts/text.js';
import classes from './undoable.module.css';

/** Long enough to read it, notice the mistake and reach for the button. */
const SHOWN_MS = 10_000;

/** Says what was done, and offers to undo it. */
export function showUndoable(message: string, undo: () => void): void {
  const id = notifications.show({
    autoClose: SHOWN_MS,
    message: (
      <span className={classes.undoable}>
        <span className="foreign">{message}</span>
        <Button
          size="xs"
          variant="default"
          onClick={() => {
            notifications.hide(id);
            undo();
          }}
        >
          {text('action.undo')}
        </Button>
      </span>
    ),
  });
}
