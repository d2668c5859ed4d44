import { Button } from '@mantine/core';
import { notifications, useNotifications } from '@mantine/notifications';
import { text } from '../texts/text.js';
import classes from './plain-toasts.module.css';

/** Toasts without the code that arranges and removes them, which could not be loaded. */
export function PlainToasts() {
  const { notifications: shown, queue } = useNotifications();
  return (
    <div className={classes.toasts}>
      {[...shown, ...queue].map(({ id, title, message }) => (
        <div key={id} role="alert" className={classes.toast}>
          {title && <strong>{title}</strong>}
          <span className="foreign">{message}</span>
          <Button size="xs" variant="default" onClick={() => notifications.hide(id!)}>
            {text('action.close')}
          </Button>
        </div>
      ))}
    </div>
  );
}
