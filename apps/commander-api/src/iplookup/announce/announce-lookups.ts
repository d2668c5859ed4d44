import { createHash, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { LibraryLock, LibraryStore, WriteOperation } from '@svc/library-sync';
import type { CommanderConfig } from '../../config/commander-config.js';
import { destinationOf, overlap } from '../../config/destination-place.js';
import { CommanderError } from '../../errors/commander-error.js';
import { withStore } from '../../libraries/shared-store.js';
import { currentUser } from '../build/guard-flags.js';
import { listLookupFiles, type LookupFile, openLookupFile } from '../files/lookup-files.js';
import { lookupFolder } from '../files/lookup-paths.js';
import { announce, type StaleAnnouncement, staleAnnouncements, withdraw } from './plan-announcements.js';

/** Another process may be announcing at the same time. */
const LOCK_WAIT_MS = 10_000;

/** What changed in the cluster. */
export interface AnnouncedLookups {
  readonly announced: readonly string[];
  readonly withdrawn: readonly string[];
}

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
    `iplookup.announce ${path} and the library's node destination.path ${shared.destination.path} contain each other: a load would remove announcements`,
  );
}

class Announcer {
  constructor(
    private readonly store: LibraryStore,
    private readonly folder: string,
    private readonly base: string | undefined,
    private readonly signal: AbortSignal,
  ) {}

  async run(): Promise<AnnouncedLookups> {
    const lookups = await listLookupFiles(this.folder);
    // Most runs find nothing to do, which takes no lock.
    if ((await this.plan(lookups)).length === 0) return { announced: [], withdrawn: [] };
    const holder = {
      id: randomUUID(),
      by: `${currentUser()}@${hostname()}, process ${process.pid}`,
      since: new Date().toISOString(),
    };
    const lock = await this.store.lock(holder, LOCK_WAIT_MS, this.signal);
    try {
      return await this.write(lookups, lock);
    } finally {
      await lock.release();
    }
  }

  private async write(lookups: readonly LookupFile[], lock: LibraryLock): Promise<AnnouncedLookups> {
    await this.store.prepare(lock);
    const announced: string[] = [];
    const withdrawn: string[] = [];
    for (const planned of await this.plan(lookups)) {
      const write = 'lookup' in planned ? await this.announcementOf(planned) : planned;
      await this.store.apply([write], lock);
      (write.type === 'remove' ? withdrawn : announced).push(write.path);
    }
    return { announced, withdrawn };
  }

  private async plan(lookups: readonly LookupFile[]): Promise<(StaleAnnouncement | WriteOperation)[]> {
    const names = [...(await this.store.children('library', '')), ...lookups.map(({ name }) => name)];
    const nodes = await this.store.read('library', [...new Set(names)]);
    return [...withdraw(lookups, nodes), ...staleAnnouncements(lookups, nodes, this.base)];
  }

  /** Of one file, though another may take its name meanwhile. */
  private async announcementOf(stale: StaleAnnouncement): Promise<WriteOperation> {
    const { handle, bytes, modified } = await openLookupFile(this.folder, stale.lookup.file);
    try {
      const hash = createHash('sha256');
      const { signal } = this;
      const content = handle.createReadStream({ autoClose: false, highWaterMark: 1 << 20, signal });
      for await (const chunk of content) hash.update(chunk as Buffer);
      const lookup = { ...stale.lookup, bytes, modified: modified.toISOString() };
      return announce({ ...stale, lookup }, hash.digest('hex'), this.base);
    } finally {
      await handle.close();
    }
  }
}
