import { LRUCache } from 'lru-cache';
import type { ClientDocument } from './client-document.js';
import type { Found } from './registry-api.js';

/** What was read, and when its reading began. */
interface Held {
  /** Absent: there is no such Client. */
  readonly client: ClientDocument | undefined;
  readonly etag: string | undefined;
  readonly readAt: number;
  readonly bytes: number;
}

/** A reading under way. */
interface Reading {
  readonly startedAt: number;
  readonly held: Promise<Held>;
}

/** In milliseconds. */
export const MAX_STALENESS_MS = 1_000;

/** Beside the text: keys, times, and what an object takes anyway. */
const ENTRY_BYTES = 1_024;

/**
 * The Clients that were asked for lately, and those that there were none of.
 *
 * What it answers was read no earlier than a second before it was asked, whatever else goes wrong: a change that was
 * answered a second ago is never missed. That does not depend on the change feed, which is late while a large import is
 * under way and silent when a network swallows it; the feed makes a change take effect at once, by {@link forget}.
 */
export class ClientCache {
  private readonly held: LRUCache<string, Held>;
  private readonly readings = new Map<string, Reading>();

  /** @param now a clock in milliseconds that never goes back */
  constructor(
    private readonly read: (clientId: string, etag: string | undefined) => Promise<Found>,
    maxBytes: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.held = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes + ENTRY_BYTES });
  }

  /** @throws {RegistryUnavailableError} when it has to be read, and cannot be */
  async find(clientId: string): Promise<ClientDocument | undefined> {
    const now = this.now();
    const held = this.held.get(clientId);
    if (held && now - held.readAt < MAX_STALENESS_MS) return held.client;
    const underWay = this.readings.get(clientId);
    const reading =
      underWay && now - underWay.startedAt < MAX_STALENESS_MS ? underWay : this.begin(clientId, held, now);
    return (await reading.held).client;
  }

  /** The Client has changed: whoever asks from now on gets what is read from now on. */
  forget(clientId: string): void {
    this.held.delete(clientId);
    this.readings.delete(clientId);
  }

  /** Any of them may have changed. */
  forgetAll(): void {
    this.held.clear();
    this.readings.clear();
  }

  private begin(clientId: string, known: Held | undefined, startedAt: number): Reading {
    const reading = { startedAt, held: this.readHeld(clientId, known, startedAt) };
    this.readings.set(clientId, reading);
    const end = (held?: Held): void => {
      // Forgotten meanwhile, or begun anew: then this one is kept for nobody else.
      if (this.readings.get(clientId) !== reading) return;
      this.readings.delete(clientId);
      if (held) this.held.set(clientId, held);
    };
    reading.held.then(end, () => end());
    return reading;
  }

  private async readHeld(clientId: string, known: Held | undefined, readAt: number): Promise<Held> {
    const found = await this.read(clientId, known?.etag);
    if (found.kind === 'unchanged' && known) return { ...known, readAt };
    if (found.kind === 'client') return { ...found, readAt };
    return { client: undefined, etag: undefined, readAt, bytes: clientId.length };
  }
}
