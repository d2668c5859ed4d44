import type { CommanderConfig } from '../../config/commander-config.js';
import { destinationOf, overlap } from '../../config/destination-place.js';
import { CommanderError } from '../../errors/commander-error.js';
import { withStore } from '../../libraries/shared-store.js';
import { lookupFolder } from '../files/lookup-paths.js';
import { type AnnouncedLookups, Announcer } from './announcer.js';

/**
 * Brings the nodes below `iplookup.announce`, in the cluster of the first library, in line with the lookup files.
 *
 * @throws {CommanderError} if it is not configured, or within a library
 * @throws what a library store throws
 */
export async function announceLookups(
  config: CommanderConfig,
  signal: AbortSignal,
): Promise<AnnouncedLookups> {
  const path = announcePath(config);
  const folder = lookupFolder(config);
  const library = config.libraries[0]!;
  const announcements = { ...library, destination: { ...library.destination, path } };
  const base = config.iplookup.url?.replace(/\/+$/, '');
  return withStore(announcements, async (store) => new Announcer(store, folder, base, signal).run());
}

/** @throws {CommanderError} */
export function announcePath({ iplookup, libraries }: CommanderConfig): string {
  const path = iplookup.announce;
  if (path === undefined)
    throw new CommanderError(
      'configuration',
      'iplookup.announce is not set: set it to the node of the cluster for lookups, such as /lookups',
    );
  const place = destinationOf({ ...libraries[0]!.destination, path });
  const shared = libraries.find(({ destination }) => overlap(place, destinationOf(destination)));
  if (shared === undefined) return path;
  throw new CommanderError(
    'configuration',
    `iplookup.announce ${path} and the library's node destination.path ${shared.destination.path} overlap: a load would remove announcements; change one of them`,
  );
}
