import { optionalText, text } from '../texts/usage.js';
import { formatMoment } from '../texts/times.js';
import type { Usage } from './usage-query.js';

/** How often, since when and why, as in "41 since 09:12: a slash at the end". */
export function describeRefusal(refusal: Usage['refusals'][number], now = new Date()): string {
  const { count, first_at: first, difference, rule } = refusal;
  const reason = difference ?? optionalText(`refusal.${rule}`) ?? rule.replaceAll('_', ' ');
  return text('usage.refusal', { count, since: formatMoment(new Date(first), now), reason });
}
