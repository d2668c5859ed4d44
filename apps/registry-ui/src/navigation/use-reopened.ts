import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { leaveScreen } from '../elements/leave-screen.js';

/** Calls `begin` when the user navigates to the screen that is already open, so that it starts over. */
export function useReopened(begin: () => void): void {
  const router = useRouter();
  const beginAnew = useEffectEvent(begin);
  useEffect(
    () =>
      router.subscribe('onResolved', ({ pathChanged, hrefChanged }) => {
        if (pathChanged) return;
        // The router does not treat an identical URL as leaving, so its guards have not asked yet.
        if (hrefChanged) beginAnew();
        else leaveScreen(() => beginAnew());
      }),
    [router],
  );
}
