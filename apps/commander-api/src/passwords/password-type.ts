import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '@svc/service-kit';

/** Charsets that are UTF-8 or a part of it. */
const UTF8_CHARSETS = ['utf-8', 'utf8', 'us-ascii', 'ascii'];

/**
 * A password comes as it is: not compressed, in UTF-8.
 *
 * @throws {Problem} 415
 */
export function assertPasswordType(headers: IncomingHttpHeaders): void {
  const [, ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(parameter)?.[1])
    .find(Boolean);
  if (charset !== undefined && !UTF8_CHARSETS.includes(charset))
    throw unsupported('The password must be in UTF-8.');
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding !== 'identity') throw unsupported('The password must not be compressed.');
}

function unsupported(detail: string): Problem {
  return new Problem({ status: 415, detail });
}
