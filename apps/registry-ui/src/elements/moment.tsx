import { formatDistance, formatMoment } from '../texts/times.js';

/** A moment as its distance from now; in full, and in the reader's zone, on pointing at it. */
export function Moment({ at }: { readonly at: string }) {
  const time = new Date(at);
  return (
    <time className="numeric" dateTime={at} title={formatMoment(time)}>
      {formatDistance(time, new Date())}
    </time>
  );
}
