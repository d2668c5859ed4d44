import { useSyncExternalStore } from 'react';

/** How a token is exchanged for a fresh one before it ends. */
export interface Renewal {
  readonly refreshToken: string;
  readonly tokenEndpoint: string;
  /** Milliseconds since 1970. */
  readonly dueAt: number;
}

/** Whom requests are made for. */
export interface Session {
  readonly token: string;
  readonly renewal?: Renewal;
  /** The token is no longer taken: what is on the screen stays until somebody signs in again. */
  readonly ended: boolean;
}

/** The tab's own storage: gone with the tab, unseen by other tabs. */
const TOKEN_KEY = 'registry-token';
const RENEWAL_KEY = 'registry-renewal';

const listeners = new Set<() => void>();
let session: Session | undefined = storedSession();

export function currentSession(): Session | undefined {
  return session;
}

export function signIn(token: string, renewal?: Renewal): void {
  clearStorage();
  sessionStorage.setItem(TOKEN_KEY, token);
  if (renewal) sessionStorage.setItem(RENEWAL_KEY, JSON.stringify(renewal));
  change({ token, ended: false, ...(renewal && { renewal }) });
}

export function signOut(): void {
  clearStorage();
  change(undefined);
}

/** The server refused `token`: unless another one took its place meanwhile, the session is over. */
export function endSession(token: string): void {
  if (session?.token !== token || session.ended) return;
  clearStorage();
  change({ token, ended: true });
}

export function useSession(): Session | undefined {
  return useSyncExternalStore(onSessionChange, currentSession);
}

/** @returns what ends the listening */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Ends once there is a session whose token counts, or `signal` ends the waiting. */
export async function untilSignedIn(signal: AbortSignal): Promise<void> {
  if (session?.ended === false || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const stop = onSessionChange(() => {
      if (session?.ended === false) settle();
    });
    const settle = () => {
      stop();
      resolve();
    };
    signal.addEventListener('abort', settle, { once: true });
  });
}

function storedSession(): Session | undefined {
  const token = sessionStorage.getItem(TOKEN_KEY);
  if (token === null) return undefined;
  const renewal = sessionStorage.getItem(RENEWAL_KEY);
  return { token, ended: false, ...(renewal !== null && { renewal: JSON.parse(renewal) as Renewal }) };
}

function clearStorage(): void {
  sessionStorage.removeItem(TOKEN_KEY);
  sessionStorage.removeItem(RENEWAL_KEY);
}

function change(next: Session | undefined): void {
  session = next;
  for (const notify of listeners) notify();
}
