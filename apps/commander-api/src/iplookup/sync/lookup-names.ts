import { isLookupName } from '@svc/iplookup-core';

/**
 * Why a declared lookup cannot have its name.
 *
 * @param names of all declared lookups
 */
export function nameViolation(name: string, names: readonly string[]): string | undefined {
  if (!isLookupName(name))
    return 'must be a name of letters, digits, dots, dashes and underscores, without the ending .mmdb';
  const same = names.slice(0, names.indexOf(name)).find((each) => each.toLowerCase() === name.toLowerCase());
  if (same === undefined) return undefined;
  return `differs from ${JSON.stringify(same)} only in case, which not all file systems distinguish: rename one of them`;
}
