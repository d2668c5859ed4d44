import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/**
 * True when a push hook comes from who knows the secret: GitHub (and Gitea, Forgejo) signs the body with HMAC-SHA-256,
 * GitLab sends the secret itself.
 *
 * @param body as it was received, byte for byte
 */
export function isGenuineHook(headers: IncomingHttpHeaders, body: Uint8Array, secret: string): boolean {
  const signature = headers['x-hub-signature-256'];
  if (typeof signature === 'string') {
    return equal(signature, `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  }
  const token = headers['x-gitlab-token'];
  return typeof token === 'string' && equal(token, secret);
}

/** True for a push of commits or tags; false for a ping, an issue and the like. */
export function isPush(headers: IncomingHttpHeaders): boolean {
  const event = headers['x-github-event'] ?? headers['x-gitlab-event'] ?? '';
  return ['push', 'create', 'Push Hook', 'Tag Push Hook'].includes(String(event));
}

/** In constant time, whatever the lengths. */
function equal(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
