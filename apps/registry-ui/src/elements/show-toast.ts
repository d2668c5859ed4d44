import { type NotificationData, notifications } from '@mantine/notifications';

let shown = 0;

/** Shows a toast; the older ones that have no room return when the newer ones close. @returns its id */
export function showToast(toast: NotificationData): string {
  shown += 1;
  return notifications.show({ ...toast, priority: shown });
}
