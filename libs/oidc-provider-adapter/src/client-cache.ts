import { LRUCache } from 'lru-cache';
import type { ClientDocument } from './client-document.js';
import type { ReadResult } from './registry-api.js';

/** The result of a read, dated by when the read started. */
interface CachedRead {
  /** `undefined` if the Client does not exist. */
  readonly client: ClientDocument | undefined;
  readonly etag: string | undefined;
  readonly readAt: number;
  readonly bytes: number;
}

/** A read in flight. */
interface PendingRead {
  readonly startedAt: number;
  readonly result: Promise<CachedRead>;
}

/** In milliseconds. */
export const MAX_STALENESS_MS = 1_000;

/** Estimated overhead per entry, besides the document's text. */
const ENTRY_BYTES = 1_024;

/**
 * Recently read Clients, including ids that do not exist.
 *
 * An answer is at most a second older than the registry's own would be. That bound does not depend on the change feed, which can
 * lag during a large import or go silent on a broken network; the feed only makes changes visible sooner, through
 * {@link forget}.
 */
export class ClientCache {
  private readonly cached: LRUCache<string, CachedRead>;
  private readonly pending = new Map<string, PendingRead>();

  /** @param now a monotonic clock, in milliseconds */
  constructor(
    private readonly read: (clientId: string, etag: string | undefined) => Promise<ReadResult>,
    maxBytes: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.cached = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes + ENTRY_BYTES });
  }

  /** @throws {RegistryUnavailableError} if the Client has to be read and the read fails */
  async find(clientId: string): Promise<ClientDocument | undefined> {
    const now = this.now();
    const cached = this.cached.get(clientId);
    if (cached && now - cached.readAt < MAX_STALENESS_MS) return cached.client;
    const current = this.pending.get(clientId);
    const read =
      current && now - current.startedAt < MAX_STALENESS_MS ? current : this.begin(clientId, cached, now);
    return (await read.result).client;
  }

  /** Later lookups of this Client start a new read, even if one is in flight. */
  forget(clientId: string): void {
    this.cached.delete(clientId);
    this.pending.delete(clientId);
  }

  /** Like {@link forget}, for every Client. */
  forgetAll(): void {
    this.cached.clear();
    this.pending.clear();
  }

  private begin(clientId: string, known: CachedRead | undefined, startedAt: number): PendingRead {
    const read = { startedAt, result: this.readAndDate(clientId, known, startedAt) };
    this.pending.set(clientId, read);
    const end = (cached?: CachedRead): void => {
      // Forgotten or superseded meanwhile: its result must not be cached.
      if (this.pending.get(clientId) !== read) return;
      this.pending.delete(clientId);
      if (cached) this.cached.set(clientId, cached);
    };
    read.result.then(end, () => end());
    return read;
  }

  private async readAndDate(
    clientId: string,
    known: CachedRead | undefined,
    readAt: number,
  ): Promise<CachedRead> {
    const found = await this.read(clientId, known?.etag);
    if (found.kind === 'unchanged' && known) return { ...known, readAt };
    if (found.kind === 'client') return { ...found, readAt };
    return { client: undefined, etag: undefined, readAt, bytes: clientId.length };
  }
}
