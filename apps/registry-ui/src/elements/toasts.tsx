import { Notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { useHeightAs } from './use-height-as.js';

/** Above the screen, below dialogs. */
const TOASTS_LEVEL = 150;

/** Toasts. The screen makes room for them, so that they never cover a control. */
export function Toasts() {
  const measured = useHeightAs('--toasts-height');
  useEffect(
    () =>
      measured(
        document.querySelector<HTMLElement>('.mantine-Notifications-root[data-position=bottom-right]'),
      ),
    [measured],
  );
  return <Notifications position="bottom-right" limit={2} zIndex={TOASTS_LEVEL} withinPortal={false} />;
}
