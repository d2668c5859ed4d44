import { useSyncExternalStore } from 'react';
import { tabStorage } from './tab-storage.js';

/** How to get a new token before the current one expires. */
export interface Renewal {
  readonly refreshToken: string;
  readonly tokenEndpoint: string;
  /** Milliseconds since 1970. */
  readonly dueAt: number;
}

export interface Session {
  readonly token: string;
  readonly renewal?: Renewal;
  /** The token is no longer valid; the screen stays until the user signs in again. */
  readonly ended: boolean;
}

/** In the session storage: private to the tab and gone with it. */
const TOKEN_KEY = 'registry-token';
const RENEWAL_KEY = 'registry-renewal';

const listeners = new Set<() => void>();
let session: Session | undefined = storedSession();
/** The token that the current one has replaced, by a renewal. */
let former: string | undefined;
let renew = async (): Promise<void> => undefined;

export function currentSession(): Session | undefined {
  return session;
}

export function signIn(token: string, renewal?: Renewal): void {
  former = undefined;
  clearStorage();
  tabStorage.set(TOKEN_KEY, token);
  if (renewal) tabStorage.set(RENEWAL_KEY, JSON.stringify(renewal));
  change({ token, ended: false, ...(renewal && { renewal }) });
}

/** Replaces the session's tokens with those of its renewal. */
export function continueSession(token: string, renewal?: Renewal): void {
  const replaced = session?.token;
  signIn(token, renewal);
  former = replaced;
}

export function signOut(): void {
  former = undefined;
  // Also what the user has typed: the next one may be another.
  tabStorage.clear();
  change(undefined);
}

/** Ends the session after the server rejected `token`, unless it has been replaced meanwhile. */
export function endSession(token: string): void {
  if (session?.token !== token || session.ended) return;
  former = undefined;
  clearStorage();
  change({ token, ended: true });
}

/** Sets how tokens are renewed. */
export function renewWith(way: typeof renew): void {
  renew = way;
}

/**
 * Renews the session after the server rejected `token`, if that is due: timers stand still while a computer sleeps.
 *
 * @returns whether the same session has another token now
 */
export async function isRenewed(token: string): Promise<boolean> {
  if (session?.token === token && (session.renewal?.dueAt ?? Infinity) <= Date.now()) await renew();
  return former === token;
}

export function useSession(): Session | undefined {
  return useSyncExternalStore(onSessionChange, currentSession);
}

/** @returns a function that unsubscribes */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function storedSession(): Session | undefined {
  const token = tabStorage.get(TOKEN_KEY);
  if (token === null) return undefined;
  const renewal = tabStorage.get(RENEWAL_KEY);
  return { token, ended: false, ...(renewal !== null && { renewal: JSON.parse(renewal) as Renewal }) };
}

function clearStorage(): void {
  tabStorage.remove(TOKEN_KEY);
  tabStorage.remove(RENEWAL_KEY);
}

function change(next: Session | undefined): void {
  session = next;
  for (const notify of listeners) notify();
}
