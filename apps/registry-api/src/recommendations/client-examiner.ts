import { Injectable } from '@nestjs/common';
import { recommend, type Recommendation, type RecommendationKind } from '@svc/client-metadata';
import { EventLoopYield } from '@svc/service-kit';
import { ClientFinder } from '../clients/list/client-finder.js';
import {
  type ClientFilter,
  type FoundClient,
  type ListPosition,
  orderOf,
} from '../clients/list/page-request.js';
import { RegistrySettings } from '../settings/registry-settings.js';
import { ClientObserver, type Observed, type ObservedDays } from './client-observer.js';

/** Clients per read: each has up to 200 counts a day, and 100 changes. */
const BATCH = 50;

/** Which recommendations to make. */
export interface RecommendationRequest {
  readonly filter: ClientFilter;
  /** Undefined: all. */
  readonly kinds?: readonly RecommendationKind[] | undefined;
}

/** A Client whose usage was examined. */
export interface ExaminedClient extends FoundClient {
  /** Undefined if the records of these days prove nothing. */
  readonly recommendations: readonly Recommendation[] | undefined;
  /** Those of the observed days that lack counts. */
  readonly incompleteDays: readonly string[];
}

/** Examines the usage of Clients for what can be tightened. */
@Injectable()
export class ClientExaminer {
  constructor(
    private readonly finder: ClientFinder,
    private readonly observer: ClientObserver,
    private readonly settings: RegistrySettings,
  ) {}

  /** In the order of their ids, read as the caller consumes them. */
  async *examine(
    { filter, kinds }: RecommendationRequest,
    days: ObservedDays,
    after?: ListPosition,
  ): AsyncGenerator<ExaminedClient, void> {
    const occasion = await this.observer.begin(days);
    const pause = new EventLoopYield();
    const page = { filter, order: orderOf('client_id'), limit: BATCH };
    for (let from = after, isLast = false; !isLast;) {
      const found = await this.finder.find({ ...page, after: from });
      const clients = found.map(({ client }) => client);
      const observed = await this.observer.observe(clients, occasion);
      for (const [index, each] of found.entries()) {
        await pause.ifDue();
        yield this.examined(each, observed[index]!, kinds);
      }
      from = found.at(-1)?.position;
      isLast = found.length < BATCH;
    }
  }

  private examined(
    found: FoundClient,
    observed: Observed,
    kinds?: readonly RecommendationKind[],
  ): ExaminedClient {
    if (!('observation' in observed)) return { ...found, ...observed, recommendations: undefined };
    const all = recommend(found.client, observed.observation, this.settings.capabilities);
    const recommendations = all.filter(({ kind }) => kinds?.includes(kind) ?? true);
    return { ...found, recommendations, incompleteDays: [] };
  }
}
