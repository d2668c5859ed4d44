import { notifications } from '@mantine/notifications';
import { ApiError } from '../api/api-error.js';
import { text } from '../texts/text.js';

/** Says what went wrong where no place on the screen stands for it, until it is closed. */
export function showFailure(error: Error, title: string = text('error.title')): void {
  // That the session has ended is said by the dialog above.
  if (error instanceof ApiError && error.status === 401) return;
  notifications.show({ color: 'red', autoClose: false, title, message: error.message });
}
