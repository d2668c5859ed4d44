import type { BuildRequest } from '@svc/iplookup-core';

/** Limits of inputs that come from elsewhere: of builds over HTTP, and of the sources of declared lookups. */
export const BUILD_LIMITS: NonNullable<BuildRequest['limits']> = {
  maxBytes: 16 * 2 ** 30,
  maxRows: 50_000_000,
  maxRatio: 200,
  maxLookupBytes: 2 ** 30,
};
