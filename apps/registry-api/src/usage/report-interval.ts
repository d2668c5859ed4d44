import type { UsageBatch } from '@svc/client-metadata';
import { type Violation, Problem } from '@svc/service-kit';

/** A batch is remembered for longer, so that none is counted twice. */
const MAX_AGE_MS = 24 * 3_600_000;

/** Clocks differ. */
const MAX_AHEAD_MS = 5 * 60_000;

/** @throws {Problem} 400 unless the times of a batch fit together */
export function assertInterval({ from, to, rows }: UsageBatch, now: number): void {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const errors = [
    ...(start > end ? [violation('/from', 'must not be after to')] : []),
    ...(end < now - MAX_AGE_MS ? [violation('/to', 'must be at most 24 hours ago')] : []),
    ...(end > now + MAX_AHEAD_MS ? [violation('/to', 'must not be in the future')] : []),
    ...rows.flatMap(({ first_at: first, last_at: last }, index) => {
      const [firstAt, lastAt] = [Date.parse(first), Date.parse(last)];
      if (firstAt > lastAt) return [violation(`/rows/${index}/first_at`, 'must not be after last_at')];
      if (new Date(firstAt).getUTCDate() !== new Date(lastAt).getUTCDate() || lastAt - firstAt > MAX_AGE_MS) {
        return [violation(`/rows/${index}/first_at`, 'must be on the same day (UTC) as last_at')];
      }
      const isOutside = firstAt < now - 2 * MAX_AGE_MS || lastAt > now + MAX_AHEAD_MS;
      return isOutside ? [violation(`/rows/${index}/last_at`, 'must be within the last 48 hours')] : [];
    }),
  ];
  if (errors.length === 0) return;
  const detail = errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
  throw new Problem({ status: 400, detail, errors });
}

function violation(field: string, message: string): Violation {
  return { field, code: 'interval', message };
}
