import type { Refusals } from '@svc/service-kit';

/** What is particular to the registry's refusals, for the API document. */
export const REFUSALS: Refusals = {
  meanings: {
    403: 'The token lacks the scope, which WWW-Authenticate names; or ADMIN_ALLOWED_ZONES keeps the caller out.',
    404: 'There is none of this id.',
    503: 'The database is away, or too much is under way; see Retry-After.',
  },
  // Clients of OAuth read errors as plain JSON (RFC 7591 section 3.2.2). The documents are the same. Where a path that is
  // too long would have led, nobody knows.
  mediaTypeOf: (status, { tags = [] }) =>
    tags.includes('registration') && status !== '414' ? 'application/json' : 'application/problem+json',
};
