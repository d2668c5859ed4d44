import type { AnyRouter, ParsedLocation } from '@tanstack/react-router';

type BuiltLocation = Pick<ParsedLocation, 'pathname' | 'searchStr' | 'hash' | 'href' | 'publicHref'>;

/** Keeps the spaces at the end of a path, which the router drops: they may belong to a client's id. */
export function keepSpaces(router: Pick<AnyRouter, 'buildLocation'>): void {
  const build = router.buildLocation;
  router.buildLocation = (options) => withSpaces(build(options));
}

function withSpaces<Location extends BuiltLocation>(location: Location): Location {
  const { pathname, searchStr, hash, href, publicHref } = location;
  const spaces = pathname.length - pathname.replace(/ +$/, '').length;
  // Anything that follows the path protects them.
  if (spaces === 0 || searchStr !== '' || hash !== '') return location;
  const encoded = '%20'.repeat(spaces);
  return { ...location, href: href + encoded, publicHref: publicHref + encoded };
}
