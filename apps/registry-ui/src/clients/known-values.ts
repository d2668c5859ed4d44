import { formatLabel } from '@svc/client-metadata';
import type { ClientDocument } from '../api/client-documents.js';
import { formatDaysAgo } from '../texts/times.js';
import type { Filter, FilterOption } from '../filters/filters.js';
import { dayOf } from '../filters/local-days.js';

/** Days before today that are suggested for dates. */
const DAYS_BACK = [0, 1, 7, 30, 90];
const DAY_MS = 86_400_000;

/** Values of a filter to suggest: what is typed if it is valid, then its options, or those of the loaded clients. */
export function knownValues(
  filter: Filter,
  clients: readonly ClientDocument[] | undefined,
  typed: string,
): FilterOption[] {
  const { options, read } = filter;
  if (!options && !read) return recentDays();
  const own = typed !== '' && read?.(typed) !== undefined ? [toOption(typed)] : [];
  const others = [...(options ?? []), ...valuesIn(filter, clients ?? [])];
  return [...own, ...others.filter(({ value }) => value !== typed)];
}

/** The labels and hosts of some clients. */
function valuesIn({ name }: Filter, clients: readonly ClientDocument[]): FilterOption[] {
  const values = clients.flatMap((client) => (name === 'host' ? hostsOf(client) : labelsOf(client)));
  return name === 'host' || name.startsWith('label') ? [...new Set(values)].sort().map(toOption) : [];
}

function hostsOf({ redirect_uris }: ClientDocument): string[] {
  return redirect_uris.flatMap((uri) => /^https?:\/\/([^/?#]+)/.exec(uri)?.[1] ?? []);
}

function labelsOf({ labels = {} }: ClientDocument): string[] {
  return Object.entries(labels).map(([key, value]) => formatLabel(key, String(value)));
}

function recentDays(): FilterOption[] {
  return DAYS_BACK.map((days) => ({
    value: dayOf(new Date(Date.now() - days * DAY_MS).toISOString()),
    label: formatDaysAgo(days),
  }));
}

function toOption(value: string): FilterOption {
  return { value, label: '' };
}
