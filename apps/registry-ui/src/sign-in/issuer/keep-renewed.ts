import { currentSession, onSessionChange, signIn } from '../../api/session.js';
import { settings } from '../../api/settings.js';
import { renewToken } from './access-tokens.js';

/** Timers count milliseconds in 31 bits. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Renews the session's token shortly before it ends, for as long as the page is open and the issuer agrees. */
export function keepRenewed(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const schedule = () => {
    clearTimeout(timer);
    const renewal = currentSession()?.renewal;
    if (!renewal) return;
    const wait = Math.min(Math.max(renewal.dueAt - Date.now(), 0), LONGEST_TIMER_MS);
    timer = setTimeout(() => void renew(), wait);
  };
  onSessionChange(schedule);
  schedule();
}

/** When the issuer refuses, the session ends with its token, and whoever is there is asked to sign in again. */
async function renew(): Promise<void> {
  const session = currentSession();
  if (!session?.renewal || session.ended || !settings.oidc) return;
  const fresh = await renewToken(session.renewal, settings.oidc).catch(() => undefined);
  if (fresh && currentSession()?.token === session.token) signIn(fresh.token, fresh.renewal);
}
