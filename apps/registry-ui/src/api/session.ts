import { useSyncExternalStore } from 'react';

/** Whom requests are made for. */
export interface Session {
  readonly token: string;
  /** The token is no longer taken: what is on the screen stays until somebody signs in again. */
  readonly ended: boolean;
}

/** The tab's own storage: gone with the tab, unseen by other tabs. */
const KEY = 'registry-token';

const listeners = new Set<() => void>();
let session: Session | undefined = storedSession();

export function currentSession(): Session | undefined {
  return session;
}

export function signIn(token: string): void {
  sessionStorage.setItem(KEY, token);
  change({ token, ended: false });
}

export function signOut(): void {
  sessionStorage.removeItem(KEY);
  change(undefined);
}

/** The server refused `token`: unless another one took its place meanwhile, the session is over. */
export function endSession(token: string): void {
  if (session?.token !== token || session.ended) return;
  sessionStorage.removeItem(KEY);
  change({ ...session, ended: true });
}

export function useSession(): Session | undefined {
  return useSyncExternalStore(subscribe, currentSession);
}

function storedSession(): Session | undefined {
  const token = sessionStorage.getItem(KEY);
  return token === null ? undefined : { token, ended: false };
}

function change(next: Session | undefined): void {
  session = next;
  for (const notify of listeners) notify();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
