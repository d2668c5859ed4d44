import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';

/** A browser's session. */
export interface Session {
  /** Values that the response of a pending sign-in must match. */
  underWay?: { readonly verifier: string; readonly state: string; readonly nonce: string };
  claims?: Readonly<Record<string, unknown>>;
}

const COOKIE = 'example_session';

const LIFETIME_MS = 3_600_000;

/** An application's sessions, identified by a cookie and kept for an hour. */
export class Sessions {
  private readonly known = new LRUCache<string, Session>({ max: 1_000, ttl: LIFETIME_MS });

  of(request: IncomingMessage): Session | undefined {
    const id = new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)`).exec(request.headers.cookie ?? '')?.[1];
    return id === undefined ? undefined : this.known.get(id);
  }

  /** Always creates a new id, which prevents session fixation. */
  begin(response: ServerResponse, session: Session): void {
    const id = randomBytes(16).toString('base64url');
    this.known.set(id, session);
    response.setHeader('set-cookie', `${COOKIE}=${id}; HttpOnly; SameSite=Lax; Path=/`);
  }
}
