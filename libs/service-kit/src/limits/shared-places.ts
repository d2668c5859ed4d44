import { callerNetwork } from './caller-network.js';

export interface PlaceTaker {
  /** Id of the token; without one, the caller's network: `callerKeyOf`. */
  readonly id: string;
  readonly address: string;
}

/** The limits of one kind of work in a process. */
export interface Places {
  /** What takes a place, in the plural, for messages. */
  readonly name: string;
  readonly total: number;
  /** For one API token, or one subject of access tokens. */
  readonly perToken: number;
  /** For one address (IPv6: one /64), whatever the tokens. */
  readonly perAddress: number;
  /** What a refused caller can do, for messages. */
  readonly remedy: string;
}

type Share = 'token' | 'address';

/** All places are taken, or all that one token or address may take. */
export class NoPlaceLeftError extends Error {
  override readonly name = 'NoPlaceLeftError';

  /** @param share `undefined` if the whole process has no place left */
  constructor(
    { name, total, remedy }: Places,
    limit: number,
    readonly share?: Share,
  ) {
    const taken = share
      ? `this ${share} already has ${limit} ${name} in progress, the most it may have (the server's limit is ${total})`
      : `${limit} ${name} are in progress`;
    super(`${taken}; ${remedy}`);
  }
}

/**
 * Counts what is in progress by token and by address, so that neither can take all places.
 */
export class SharedPlaces {
  private taken = 0;
  private readonly byToken = new Map<string, number>();
  private readonly byAddress = new Map<string, number>();

  constructor(private readonly places: Places) {}

  /**
   * @returns releases the place; further calls have no effect
   * @throws {NoPlaceLeftError}
   */
  take({ id, address }: PlaceTaker): () => void {
    this.assertFree({ id, address });
    const network = callerNetwork(address);
    this.count(id, network, 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.count(id, network, -1);
      isTaken = false;
    };
  }

  /** @throws {NoPlaceLeftError} */
  assertFree({ id, address }: PlaceTaker): void {
    const { total, perToken, perAddress } = this.places;
    const network = callerNetwork(address);
    this.refuseBeyond(this.byToken.get(id), perToken, id === network ? 'address' : 'token');
    this.refuseBeyond(this.byAddress.get(network), perAddress, 'address');
    if (this.taken >= total) throw new NoPlaceLeftError(this.places, total);
  }

  private refuseBeyond(taken: number | undefined, limit: number, share: Share): void {
    if ((taken ?? 0) >= limit) throw new NoPlaceLeftError(this.places, limit, share);
  }

  private count(id: string, network: string, change: 1 | -1): void {
    this.taken += change;
    addTo(this.byToken, id, change);
    addTo(this.byAddress, network, change);
  }
}

/** Callers without a place take no memory. */
export function addTo(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
