import { Button } from '@mantine/core';
import { showToast } from '../elements/show-toast.js';
import { useEffect } from 'react';
import { withDeadline } from '../api/deadline.js';
import { text } from '../texts/text.js';

/** How the served console compares with the one in this tab. */
export type ServedVersion = 'same' | 'new' | 'unreachable';

const EVERY_MS = 5 * 60_000;

const DEADLINE_MS = 60_000;

/** Returning to the tab repeatedly does not check more often. */
const LEAST_PAUSE_MS = 30_000;

/** Fetches the console's page: the name of its script contains a hash of its content. */
export async function servedVersion(): Promise<ServedVersion> {
  try {
    const answer = await fetch(import.meta.env.BASE_URL, {
      cache: 'no-store',
      signal: withDeadline(DEADLINE_MS),
    });
    if (!answer.ok) return 'unreachable';
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    return scriptOf(page) === scriptOf(document) ? 'same' : 'new';
  } catch {
    return 'unreachable';
  }
}

/** Offers a new version, checked for periodically and when the user returns to the tab. */
export function useNewVersionOffer(): void {
  useEffect(() => {
    let askedAt = Date.now();
    let offered = false;
    const look = async () => {
      const early = Date.now() - askedAt < LEAST_PAUSE_MS;
      if (offered || early || document.visibilityState !== 'visible') return;
      askedAt = Date.now();
      if ((await servedVersion()) !== 'new') return;
      offered = true;
      offerReload();
    };
    const lookNow = () => void look();
    const timer = setInterval(lookNow, EVERY_MS);
    window.addEventListener('visibilitychange', lookNow);
    return () => {
      clearInterval(timer);
      window.removeEventListener('visibilitychange', lookNow);
    };
  }, []);
}

/** Reloading is safe: forms guard their input themselves. */
function offerReload(): void {
  showToast({
    id: 'new-version',
    autoClose: false,
    title: text('version.new'),
    message: (
      <Button size="xs" variant="default" mt="xs" onClick={() => location.reload()}>
        {text('version.reload')}
      </Button>
    ),
  });
}

function scriptOf(page: Document): string | null | undefined {
  return page.querySelector('script[type=module]')?.getAttribute('src');
}
