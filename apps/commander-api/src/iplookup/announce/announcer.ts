import { createHash, randomUUID } from 'node:crypto';
import type { LibraryLock, LibraryStore, StoredNode } from '@svc/library-sync';
import { CommanderError } from '../../errors/commander-error.js';
import { describeProcess } from '../../command-line/current-user.js';
import { listAllLookupFiles, type LookupFile, openLookupFile } from '../files/lookup-files.js';
import { announce, type StaleAnnouncement, staleAnnouncements, withdraw } from './plan-announcements.js';

/** Another process may be announcing at the same time. */
const LOCK_WAIT_MS = 10_000;

/** What changed in the cluster. */
export interface AnnouncedLookups {
  readonly announced: readonly string[];
  readonly withdrawn: readonly string[];
}

/** What has to change in the cluster. */
interface Plan {
  readonly stale: readonly StaleAnnouncement[];
  readonly withdrawals: ReturnType<typeof withdraw>;
}

/** Brings the nodes of a store in line with the lookup files of a folder. */
export class Announcer {
  /** SHA-256 of the files to announce. */
  private readonly hashes = new Map<string, string>();

  /** @param base URL of the server, without a slash at its end */
  constructor(
    private readonly store: LibraryStore,
    private readonly folder: string,
    private readonly base: string | undefined,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Files that change meanwhile are left to the next run.
   *
   * @throws {CommanderError} if a lookup cannot be read, or the folder does not exist although lookups are announced
   * @throws what a library store throws
   */
  async run(): Promise<AnnouncedLookups> {
    // Most runs find nothing to do, which takes no lock.
    const { stale, withdrawals } = await this.plan();
    if (stale.length + withdrawals.length === 0) return { announced: [], withdrawn: [] };
    // Reading large files must not keep others waiting for the lock.
    for (const { lookup } of stale) await this.hash(lookup);
    const holder = {
      id: randomUUID(),
      by: describeProcess(),
      since: new Date().toISOString(),
    };
    const lock = await this.store.lock(holder, LOCK_WAIT_MS, this.signal);
    try {
      return await this.write(lock);
    } finally {
      await lock.release();
    }
  }

  /** Others may have announced or built lookups since the first plan. */
  private async write(lock: LibraryLock): Promise<AnnouncedLookups> {
    await this.store.prepare(lock);
    const { stale, withdrawals } = await this.plan();
    const announced: string[] = [];
    for (const each of stale) {
      const sha256 = this.hashes.get(keyOf(each.lookup));
      if (sha256 === undefined) continue;
      await this.store.apply([announce(each, sha256, this.base)], lock);
      announced.push(each.lookup.name);
    }
    for (const each of withdrawals) await this.store.apply([each], lock);
    return { announced, withdrawn: withdrawals.map(({ path }) => path) };
  }

  private async plan(): Promise<Plan> {
    const found = await listAllLookupFiles(this.folder);
    const lookups = found ?? [];
    const names = [...(await this.store.children('library', '')), ...lookups.map(({ name }) => name)];
    const nodes: ReadonlyMap<string, StoredNode> = await this.store.read('library', [...new Set(names)]);
    const withdrawals = withdraw(lookups, nodes);
    if (found === undefined && withdrawals.length > 0)
      throw new CommanderError(
        'failed',
        `${this.folder} does not exist, although its lookups are announced: restore it, or create it empty to withdraw them`,
      );
    return { stale: staleAnnouncements(lookups, nodes, this.base), withdrawals };
  }

  private async hash(lookup: LookupFile): Promise<void> {
    const open = await openLookupFile(this.folder, lookup.file).catch(ifGone);
    if (open === undefined) return;
    const { handle, bytes, modified } = open;
    try {
      const hash = createHash('sha256');
      const { signal } = this;
      const content = handle.createReadStream({ autoClose: false, highWaterMark: 1 << 20, signal });
      for await (const chunk of content) hash.update(chunk as Buffer);
      // Another file may have taken the name: the time and size are those of what was read.
      this.hashes.set(keyOf({ ...lookup, bytes, modified: modified.toISOString() }), hash.digest('hex'));
    } finally {
      await handle.close();
    }
  }
}

function keyOf({ file, bytes, modified }: LookupFile): string {
  return JSON.stringify([file, bytes, modified]);
}

/** @throws the error, unless the file has been deleted */
function ifGone(error: unknown): undefined {
  if (error instanceof CommanderError && error.code === 'lookup_not_found') return undefined;
  throw error;
}
