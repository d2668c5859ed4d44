import { readVersion as readVersionOf } from '@svc/foundation/files';

/** The version in package.json, next to both `src` and `dist`. */
export function readVersion(): string {
  return readVersionOf(new URL('../../package.json', import.meta.url));
}
