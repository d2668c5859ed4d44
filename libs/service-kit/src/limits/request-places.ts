import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { Problem } from '../problem/problem.js';
import { activeCallers } from '../runtime/active-callers.js';
import type { RefusalCounter } from './limit-rates.js';
import { RequestTurns } from './request-turns.js';
import { addTo } from './shared-places.js';

/** Who takes a place. */
export interface RequestTaker {
  /** Its token, or its network if it has none. */
  readonly token: string;
  /** As of `callerNetwork`. */
  readonly address: string;
}

interface RequestPlace extends RequestTaker {
  readonly among: RequestPlaces;
  endTurn?: () => void;
}

/** Whose share is used up; `process`: there is no place at all. */
export type Shortage = 'token' | 'address' | 'process';

/** The places of requests in flight. */
const taken = new WeakMap<IncomingMessage, RequestPlace>();

/**
 * Counts requests in flight by token and address, so that no caller can take all places. The last quarter is reserved for
 * tokens below an equal share: a caller with few requests always finds a place, and others are not limited while there are
 * enough. One address may take seven eighths of all places.
 */
export class RequestPlaces {
  private readonly byToken = new Map<string, number>();
  private readonly byAddress = new Map<string, number>();
  private readonly turns = new RequestTurns(activeCallers);
  private readonly unreserved: number;
  private readonly perAddress: number;
  private all = 0;

  /** @param refusals counts requests that were refused because a share is used up */
  constructor(
    private readonly limit: number,
    private readonly refusals?: RefusalCounter,
  ) {
    this.unreserved = limit - Math.floor(limit / 4);
    this.perAddress = limit - Math.floor(limit / 8);
  }

  get inFlight(): number {
    return this.all;
  }

  /** Requests in flight of the same token, including this one; 0 if it has no place. */
  countOfSameToken(request: IncomingMessage): number {
    return this.byToken.get(taken.get(request)?.token ?? '') ?? 0;
  }

  /** @returns `undefined` if there is a place */
  shortageFor({ token, address }: RequestTaker): Shortage | undefined {
    if (this.isBeyondShare(token)) return 'token';
    if ((this.byAddress.get(address) ?? 0) >= this.perAddress) return 'address';
    return this.all >= this.limit ? 'process' : undefined;
  }

  /** 503 if all places are taken, else 429. */
  refusalOf(shortage: Shortage, { token, address }: RequestTaker): Problem {
    const headers = { 'retry-after': '1' };
    if (this.all >= this.limit) {
      const detail = `The server already has ${this.limit} requests in progress; try again shortly.`;
      return new Problem({ status: 503, detail, headers });
    }
    const whose = shortage === 'token' && token !== address ? 'token' : 'address';
    this.refusals?.inc({ limit: whose });
    const detail = `This ${whose} has reached its share of concurrent requests; try again shortly.`;
    return new Problem({ status: 429, detail, headers });
  }

  take(request: IncomingMessage, taker: RequestTaker): void {
    taken.set(request, { ...taker, among: this });
    this.count(taker, 1);
  }

  /** Calls `start` when it is the request's turn among those of its token. The turn ends when the request leaves its place. */
  startInTurn(request: IncomingMessage, start: () => void): void {
    const place = taken.get(request);
    if (place) place.endTurn = this.turns.take(place.token, AsyncResource.bind(start));
    else start();
  }

  /** Further calls have no effect. */
  leave(request: IncomingMessage): void {
    const place = taken.get(request);
    if (place) this.count(place, -1);
    taken.delete(request);
    place?.endTurn?.();
  }

  /** @throws {Problem} 429 if the share of the holder is used up */
  assign(request: IncomingMessage, holder: string): void {
    const taker = { token: holder, address: taken.get(request)!.address };
    this.leave(request);
    const refusal = this.isBeyondShare(holder) ? this.refusalOf('token', taker) : undefined;
    this.take(request, taker);
    if (refusal) throw refusal;
  }

  private isBeyondShare(token: string): boolean {
    if (this.all < this.unreserved) return false;
    const equalShare = Math.max(1, Math.floor(this.unreserved / this.byToken.size));
    return (this.byToken.get(token) ?? 0) >= equalShare;
  }

  private count({ token, address }: RequestTaker, change: 1 | -1): void {
    this.all += change;
    addTo(this.byToken, token, change);
    addTo(this.byAddress, address, change);
  }
}

/** Who holds a request's place; `undefined` once it has none. */
export function takerOf(request: IncomingMessage): RequestTaker | undefined {
  return taken.get(request);
}

export function leavePlace(request: IncomingMessage): void {
  taken.get(request)?.among.leave(request);
}

/**
 * Counts a request towards the holder of its token, who may have other tokens. Does nothing if the caller has already left.
 *
 * @throws {Problem} 429
 */
export function assignPlace(request: IncomingMessage, holder: string): void {
  taken.get(request)?.among.assign(request, holder);
}
