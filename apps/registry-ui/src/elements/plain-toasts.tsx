import { Button } from '@mantine/core';
import { notifications, useNotifications } from '@mantine/notifications';
import { text } from '../texts/text.js';
import classes from './plain-toasts.module.css';
import { useHeightAs } from './use-height-as.js';

/**
 * Toasts without the code that arranges and removes them, which could not be loaded. The screen makes room for them, as for
 * others.
 */
export function PlainToasts() {
  const { notifications: shown, queue } = useNotifications();
  const measured = useHeightAs('--toasts-height');
  const toasts = [...shown, ...queue];
  if (toasts.length === 0) return null;
  return (
    <div ref={measured} className={classes.toasts}>
      {toasts.map(({ id, title, message }) => (
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
