import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Problem, SharedPlaces } from '@svc/service-kit';
import { DataSource } from 'typeorm';
import { readLastChange } from '../clients/change-statements.js';
import { fromCursor, listIdOf, toCursor } from '../clients/list/list-cursor.js';
import type { Caller } from '../http/current-caller.js';
import { UsagePolicy } from '../settings/registry-settings.js';
import { ClientExaminer, type ExaminedClient, type RecommendationRequest } from './client-examiner.js';
import { daysBefore, type ObservedDays } from './client-observer.js';
import { toRecommendationDocuments } from './recommendation-document.js';

/** Clients that a request for a page examines. */
const MAX_EXAMINED = 1_000;

/** Streams that one process sends at a time. */
const PLACES = {
  name: 'streams of recommendations',
  total: 5,
  perToken: 2,
  perAddress: 3,
  remedy: 'try again when one has finished',
};

export interface RecommendationPage {
  readonly days: ObservedDays;
  readonly clients: readonly ExaminedClient[];
  /** The cursor of the next page; absent on the last one. */
  readonly next?: string;
}

/** Recommendations, by page or as a stream. */
@Injectable()
export class RecommendationsService {
  private readonly places = new SharedPlaces(PLACES);

  constructor(
    private readonly dataSource: DataSource,
    private readonly examiner: ClientExaminer,
    private readonly policy: UsagePolicy,
  ) {}

  /**
   * Examines Clients until `limit` of them have recommendations, or enough were examined.
   *
   * @param days how many
   * @throws {RegistryError | Problem} `invalid_cursor`; 400 if counts are not kept for so long
   */
  async page(
    request: RecommendationRequest,
    days: number,
    { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
  ): Promise<RecommendationPage> {
    const observed = this.keptDays(days);
    const listed = { ...request.filter, kinds: request.kinds, days };
    const listId = listIdOf('client_id', listed);
    const before = cursor === undefined ? undefined : fromCursor(cursor, listId, false);
    const seq = before?.seq ?? (await readLastChange(this.dataSource));
    const clients: ExaminedClient[] = [];
    let found = 0;
    for await (const examined of this.examiner.examine(request, observed, before?.after)) {
      const last = clients.at(-1);
      if (last && (found === limit || clients.length === MAX_EXAMINED)) {
        return { days: observed, clients, next: toCursor(listId, { after: last.position, seq }) };
      }
      clients.push(examined);
      if (examined.recommendations?.length) found += 1;
    }
    return { days: observed, clients };
  }

  /** All of them as NDJSON, generated as the caller reads them. @throws {NoPlaceLeftError | Problem} */
  open(request: RecommendationRequest, days: number, reader: Caller): Readable {
    const observed = this.keptDays(days);
    const leave = this.places.take(reader);
    const lines = toLines(this.examiner.examine(request, observed), observed);
    return Readable.from(lines, { objectMode: false }).once('close', leave);
  }

  /** @throws {Problem} 400 */
  private keptDays(days: number): ObservedDays {
    const now = new Date();
    const observed = daysBefore(now, days);
    if (this.policy.keptFrom(now) <= observed.from) return observed;
    const message = 'must be at most USAGE_RETENTION_DAYS: counts are not kept for longer';
    const errors = [{ field: '/days', code: 'too_many', message }];
    throw new Problem({ status: 400, detail: `days ${message}`, errors });
  }
}

async function* toLines(
  clients: AsyncIterable<ExaminedClient>,
  days: ObservedDays,
): AsyncGenerator<string, void> {
  for await (const examined of clients) {
    const documents = toRecommendationDocuments(examined, days);
    if (documents.length > 0) yield documents.map((each) => `${JSON.stringify(each)}\n`).join('');
  }
}
