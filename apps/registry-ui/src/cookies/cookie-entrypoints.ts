import { queryOptions } from '@tanstack/react-query';
import { askBody } from '../api/request.js';

/** A hostname of Clients that use cookie-based authorization. */
export interface CookieHost {
  readonly hostname: string;
  readonly entrypoints: readonly string[];
  readonly client_count: number;
  /** The first hundred of them. */
  readonly clients: readonly string[];
}

/** What `GET /clients/cookie_entrypoints` answers with. */
interface CookieEntrypoints {
  readonly hosts: readonly CookieHost[];
  /** The hostnames without an entry point. */
  readonly lacking: readonly string[];
}

export const cookieEntrypointsQuery = queryOptions({
  queryKey: ['cookie-entrypoints'],
  queryFn: async ({ signal }) => askBody<CookieEntrypoints>({ path: '/clients/cookie_entrypoints', signal }),
});
