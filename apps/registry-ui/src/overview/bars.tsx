import type { ReactNode } from 'react';
import { formatNumber } from '../texts/text.js';
import classes from './overview.module.css';

/** One bar: what it stands for, and how many. */
export interface Bar {
  readonly id: string;
  readonly label: ReactNode;
  readonly count: number;
}

interface BarsProps {
  readonly label: string;
  readonly bars: readonly Bar[];
  readonly tone?: 'warn' | undefined;
}

/** Numbers as bars that lie: each as long as its share of the greatest. */
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
