import { readVersion as readVersionOf } from '@svc/foundation/files';

/** The version in package.json, beside both `src` and `dist`. */
export function readVersion(): string {
  return readVersionOf(new URL('../../package.json', import.meta.url));
}
