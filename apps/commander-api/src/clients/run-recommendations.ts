import type { RecommendationDocument, RecommendationPage, RegistryClient } from '@svc/registry-client';
import type { CommandContext } from '../command-line/command-context.js';
import { counted } from '../command-line/text.js';
import { textTable } from '../command-line/text-table.js';
import { withRegistry } from './open-registry.js';

export interface RecommendationFlags {
  readonly kind?: readonly string[];
  readonly label?: readonly string[];
  readonly days?: string;
}

interface Recommended {
  readonly recommendations: readonly RecommendationDocument[];
  /** Clients that were examined. */
  readonly examined: number;
  /** Those of which too little is recorded. */
  readonly unproven: number;
  readonly incompleteDays: readonly string[];
}

export async function recommendations(context: CommandContext, flags: RecommendationFlags): Promise<void> {
  const found = await withRegistry(context, async (registry) => readAll(registry, flags));
  const { incompleteDays, ...value } = found;
  context.answer({
    text: recommendationTable(found.recommendations),
    value: { ...value, incomplete_days: incompleteDays },
  });
  if (found.unproven > 0) context.note(unprovenNote(found));
}

async function readAll(
  registry: RegistryClient,
  { kind = [], label = [], days }: RecommendationFlags,
): Promise<Recommended> {
  const pages: RecommendationPage[] = [];
  let cursor: string | undefined;
  do {
    const page = await registry.recommendations({ kind, label, days, cursor });
    pages.push(page);
    cursor = page.next;
  } while (cursor !== undefined);
  return {
    recommendations: pages.flatMap((page) => page.recommendations),
    examined: pages.reduce((sum, { examined }) => sum + examined, 0),
    unproven: pages.reduce((sum, { unproven }) => sum + unproven, 0),
    incompleteDays: [...new Set(pages.flatMap((page) => page.incomplete_days))].sort(),
  };
}

function unprovenNote({ unproven, examined, incompleteDays }: Recommended): string {
  const [day] = incompleteDays;
  const cause =
    day === undefined ? 'their history is incomplete' : `usage of ${listed(incompleteDays)} is incomplete`;
  return `nothing is recommended for ${unproven} of ${counted(examined, 'Client')}: ${cause}`;
}

function listed(days: readonly string[]): string {
  const [first, last] = [days[0], days.at(-1)];
  return days.length === 1 ? String(first) : `${days.length} days from ${first} to ${last}`;
}

const COLUMNS = ['client_id', 'kind', 'reason', 'request'] as const;

function recommendationTable(found: readonly RecommendationDocument[]): string {
  if (found.length === 0) return 'no recommendations';
  return textTable([COLUMNS.map((name) => name.toUpperCase()), ...found.map(rowOf)]);
}

function rowOf({ client_id: id, kind, reason, request }: RecommendationDocument): string[] {
  const { method, path, body } = (request ?? {}) as { method?: unknown; path?: unknown; body?: unknown };
  const sent = body === undefined ? '' : ` ${JSON.stringify(body)}`;
  return [id, kind, reason, `${String(method)} ${String(path)}${sent}`];
}
