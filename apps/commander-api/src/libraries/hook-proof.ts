import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** The event's name is at the beginning of a body. */
const HEAD_BYTES = 64 * 1024;

/** Headers that name the event, and events for pushes of commits or tags. */
const EVENT_HEADERS = ['x-github-event', 'x-gitlab-event', 'x-event-key'] as const;
const PUSHES = new Set(['push', 'create', 'Push Hook', 'Tag Push Hook', 'repo:push', 'repo:refs_changed']);

/** Event names in the bodies of GitLab's system hooks and of Azure DevOps, whose headers have none. */
const BODY_EVENT = /"(?:event_name|eventType)"\s*:\s*"([\w.]{1,100})"/;
const BODY_PUSHES = new Set(['push', 'tag_push', 'repository_update', 'git.push']);

/**
 * Verifies that a push hook comes from a server that knows the secret. GitHub, Gitea, Forgejo and Bitbucket sign the body with
 * HMAC-SHA-256, GitLab sends the secret itself, Azure DevOps sends it as the password of basic authentication.
 */
export class HookProof {
  private readonly hmac;
  private head = Buffer.alloc(0);

  /** @returns undefined if the headers have no proof, or one that is wrong regardless of the body */
  static from(headers: IncomingHttpHeaders, secret: string): HookProof | undefined {
    // GitHub sends an older signature in SHA-1 as well, under the name that Bitbucket uses for SHA-256.
    const signature = textOf(headers['x-hub-signature-256']) ?? textOf(headers['x-hub-signature']);
    if (signature !== undefined) return new HookProof(headers, secret, signature.toLowerCase());
    const known = textOf(headers['x-gitlab-token']) ?? basicPassword(headers);
    return known !== undefined && equal(known, secret)
      ? new HookProof(headers, secret, undefined)
      : undefined;
  }

  /** True if the headers contain the secret in a form that requires a protected connection. */
  static isBasic(headers: IncomingHttpHeaders): boolean {
    const others = ['x-hub-signature-256', 'x-hub-signature', 'x-gitlab-token'];
    return others.every((name) => headers[name] === undefined) && basicPassword(headers) !== undefined;
  }

  private constructor(
    private readonly headers: IncomingHttpHeaders,
    secret: string,
    private readonly signature: string | undefined,
  ) {
    this.hmac = createHmac('sha256', secret);
  }

  /** Adds a chunk of the raw body. */
  update(chunk: Buffer): void {
    if (this.signature !== undefined) this.hmac.update(chunk);
    const room = HEAD_BYTES - this.head.length;
    if (room > 0) this.head = Buffer.concat([this.head, chunk.subarray(0, room)]);
  }

  /** Call once, after the whole body. */
  isGenuine(): boolean {
    return this.signature === undefined || equal(this.signature, `sha256=${this.hmac.digest('hex')}`);
  }

  /** False for a ping, an issue and the like. */
  isPush(): boolean {
    const event = EVENT_HEADERS.map((name) => textOf(this.headers[name])).find((name) => name !== undefined);
    if (event !== undefined && event !== 'System Hook') return PUSHES.has(event);
    const named = BODY_EVENT.exec(this.head.toString('latin1'))?.[1];
    // An extra load does nothing; a missing one would lose a push.
    return named === undefined
      ? event !== undefined || HookProof.isBasic(this.headers)
      : BODY_PUSHES.has(named);
  }
}

function textOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function basicPassword({ authorization }: IncomingHttpHeaders): string | undefined {
  const encoded = /^basic +([\w+/-]+=*)$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : text.slice(colon + 1);
}

/** Constant time, even for different lengths. */
function equal(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
