import { formatDistance, formatMoment } from '../texts/times.js';
import { useNow } from './use-now.js';

/** A moment as its distance from now; in full, and in the reader's zone, on pointing at it. */
export function Moment({ at }: { readonly at: string }) {
  const time = new Date(at);
  const now = new Date(useNow());
  return (
    <time className="numeric" dateTime={at} title={formatMoment(time)}>
      {formatDistance(time, now)}
    </time>
  );
}
