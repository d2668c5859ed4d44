import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '@svc/service-kit';

/**
 * The last change that a reader of a stream has seen (WHATWG HTML section 9.2.4); nothing when it does not say.
 *
 * @throws {Problem} 400 when it is not the number of a change
 */
export function lastEventIdOf({ headers }: { readonly headers: IncomingHttpHeaders }): number | undefined {
  const given = headers['last-event-id'];
  if (given === undefined || given === '') return undefined;
  if (typeof given === 'string' && /^\d{1,15}$/.test(given)) return Number(given);
  const message = 'Last-Event-ID must be the number of a change';
  throw new Problem({
    status: 400,
    detail: `${message}.`,
    errors: [{ field: '/Last-Event-ID', code: 'lastEventId', message }],
  });
}
