import type { ReactNode } from 'react';
import { text } from '../texts/overview.js';
import { formatNumber } from '../texts/text.js';
import classes from './overview.module.css';
import type { AgeGroup } from './stats.js';

interface Bar {
  readonly id: string;
  readonly label: ReactNode;
  readonly count: number;
}

interface BarsProps {
  readonly label: string;
  readonly bars: readonly Bar[];
  readonly tone?: 'warn' | undefined;
}

/** Horizontal bars, scaled to the largest count. */
export function Bars({ label, bars, tone }: BarsProps) {
  const greatest = Math.max(...bars.map(({ count }) => count), 1);
  return (
    <ul className={classes.bars} aria-label={label} data-tone={tone}>
      {bars.map(({ id, label: name, count }) => (
        <li key={id}>
          <span className={classes.barName}>{name}</span>
          <span className={classes.track} aria-hidden>
            <span style={{ width: `${(100 * count) / greatest}%` }} />
          </span>
          <span className={`numeric ${classes.barCount}`}>{formatNumber(count)}</span>
        </li>
      ))}
    </ul>
  );
}

/** Age groups as bars, up to the last one that is not empty. */
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
