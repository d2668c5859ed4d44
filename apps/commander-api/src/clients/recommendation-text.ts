import type { RecommendationDocument } from '@svc/registry-client';
import { counted } from '../command-line/text.js';
import { textTable } from '../command-line/text-table.js';

/** What the registry recommends, over all pages. */
export interface Recommended {
  readonly recommendations: readonly RecommendationDocument[];
  /** Clients that were examined. */
  readonly examined: number;
  /** Clients whose recorded usage is incomplete. */
  readonly unproven: number;
  readonly incompleteDays: readonly string[];
}

export function unprovenNote({ unproven, examined, incompleteDays }: Recommended): string {
  const [day] = incompleteDays;
  const cause =
    day === undefined ? 'their history is incomplete' : `usage of ${listed(incompleteDays)} is incomplete`;
  return `nothing is recommended for ${unproven} of ${counted(examined, 'client')}: ${cause}`;
}

function listed(days: readonly string[]): string {
  const [first, last] = [days[0], days.at(-1)];
  return days.length === 1 ? String(first) : `${days.length} days from ${first} to ${last}`;
}

const COLUMNS = ['client_id', 'kind', 'reason', 'request'] as const;

export function recommendationTable(found: readonly RecommendationDocument[]): string {
  if (found.length === 0) return 'no recommendations';
  return textTable([COLUMNS.map((name) => name.toUpperCase()), ...found.map(rowOf)]);
}

function rowOf({ client_id: id, kind, reason, request }: RecommendationDocument): string[] {
  const { method, path, body } = (request ?? {}) as { method?: unknown; path?: unknown; body?: unknown };
  const sent = body === undefined ? '' : ` ${JSON.stringify(body)}`;
  return [id, kind, reason, `${String(method)} ${String(path)}${sent}`];
}
