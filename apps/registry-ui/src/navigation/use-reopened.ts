import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { leaveScreen } from '../elements/leave-screen.js';

/** Calls `begin` when somebody asks for the screen that is open already: it starts as if it had been opened now. */
export function useReopened(begin: () => void): void {
  const router = useRouter();
  const beginAnew = useEffectEvent(begin);
  useEffect(
    () =>
      router.subscribe('onResolved', ({ pathChanged, hrefChanged }) => {
        if (pathChanged) return;
        // The very same address is no way out for the router, so nobody may have been asked yet.
        if (hrefChanged) beginAnew();
        else leaveScreen(() => beginAnew());
      }),
    [router],
  );
}
