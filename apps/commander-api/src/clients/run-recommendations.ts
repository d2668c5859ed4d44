import type { RecommendationPage, RegistryClient } from '@svc/registry-client';
import type { CommandContext } from '../command-line/command-context.js';
import { type Recommended, recommendationTable, unprovenNote } from './recommendation-text.js';
import { withRegistry } from './open-registry.js';

export interface RecommendationFlags {
  readonly kind?: readonly string[];
  readonly label?: readonly string[];
  readonly days?: string;
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
