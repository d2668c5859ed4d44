import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';

/** What the application knows of a browser. */
export interface Session {
  /** What the answer of a sign-in under way must fit to. */
  underWay?: { readonly verifier: string; readonly state: string; readonly nonce: string };
  claims?: Readonly<Record<string, unknown>>;
}

const COOKIE = 'example_session';

const LIFETIME_MS = 3_600_000;

/** The sessions of an application that are not older than an hour, each known by a cookie. */
export class Sessions {
  private readonly known = new LRUCache<string, Session>({ max: 1_000, ttl: LIFETIME_MS });

  of(request: IncomingMessage): Session | undefined {
    const id = new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)`).exec(request.headers.cookie ?? '')?.[1];
    return id === undefined ? undefined : this.known.get(id);
  }

  /** Never an id that was there before: a session that somebody else began ends here. */
  begin(response: ServerResponse, session: Session): void {
    const id = randomBytes(16).toString('base64url');
    this.known.set(id, session);
    response.setHeader('set-cookie', `${COOKIE}=${id}; HttpOnly; SameSite=Lax; Path=/`);
  }
}
