import { pickParams } from '../navigation/search-params.js';

/** What the address of the tester says: whose URIs are tested against, and with which. */
export interface RedirectsSearch {
  readonly client?: string;
  readonly uri?: string;
}

export function readRedirectsSearch(params: Record<string, unknown>): RedirectsSearch {
  return pickParams(params, ['client', 'uri']);
}
