import { text } from '../texts/text.js';
import type { Bar } from './bars.js';
import type { AgeGroup } from './stats.js';

/** Spans of time as bars, from now back to the last one that holds any: each says where it begins and ends. */
export function barsOfAges(groups: readonly AgeGroup[]): Bar[] {
  const last = groups.findLastIndex(({ count }) => count > 0);
  return groups.slice(0, Math.max(last, 0) + 1).map(({ within_days: to, count }, index) => {
    const from = groups[index - 1]?.within_days;
    return { id: String(to ?? 'older'), label: spanLabel(from, to), count };
  });
}

function spanLabel(from: number | undefined, to: number | undefined): string {
  if (to === undefined) return text('overview.span.older', { count: from ?? 0 });
  return from === undefined
    ? text('overview.span.within', { count: to })
    : text('overview.span', { from, count: to });
}
