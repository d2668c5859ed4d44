import { parseLabel } from '@svc/client-metadata';
import type { Reach } from '../../http/current-caller.js';
import { type ClientFilterQuery, FILTERABLE_FIELDS } from './list-clients.query.js';
import type { ClientFilter, MetadataFilter } from './page-request.js';

/** The filter of a query, among the Clients that the caller reaches. */
export function toClientFilter(query: ClientFilterQuery, { selector }: Reach): ClientFilter {
  const { q, enabled, pending, has_warnings, warning, created_since, updated_since } = query;
  const { secret_expires_within, secret_never_used } = query;
  return {
    selector,
    metadata: metadataFilters(query),
    ...(q !== undefined && { q }),
    ...(query.host !== undefined && { host: query.host }),
    ...(enabled !== undefined && { enabled }),
    ...(pending !== undefined && { pending }),
    ...(has_warnings !== undefined && { hasWarnings: has_warnings }),
    ...(warning !== undefined && { warning }),
    ...labelFilters(query),
    ...(query.managed_by !== undefined && { managedBy: query.managed_by }),
    ...(created_since !== undefined && { createdSince: created_since }),
    ...(updated_since !== undefined && { updatedSince: updated_since }),
    ...(secret_expires_within !== undefined && { secretExpiresWithin: secret_expires_within }),
    ...(secret_never_used !== undefined && { secretNeverUsed: secret_never_used }),
    ...usageFilters(query),
  };
}

function usageFilters({
  last_used_before: before,
  never_used: neverUsed,
  refused_since: since,
}: ClientFilterQuery): Pick<ClientFilter, 'lastUsedBefore' | 'neverUsed' | 'refusedSince'> {
  return {
    ...(before !== undefined && { lastUsedBefore: before }),
    ...(neverUsed !== undefined && { neverUsed }),
    ...(since !== undefined && { refusedSince: since }),
  };
}

function labelFilters({
  label = [],
  'label!': excluded = [],
}: ClientFilterQuery): Pick<ClientFilter, 'labels'> {
  const toFilters = (texts: readonly string[], isExcluded: boolean) =>
    texts.flatMap((text) => {
      const parsed = parseLabel(text);
      return parsed ? [{ ...parsed, isExcluded }] : [];
    });
  const labels = [...toFilters(label, false), ...toFilters(excluded, true)];
  return labels.length > 0 ? { labels } : {};
}

function metadataFilters(query: ClientFilterQuery): MetadataFilter[] {
  return FILTERABLE_FIELDS.flatMap(({ name, type }) => {
    const value = (query as Readonly<Record<string, unknown>>)[name];
    if (value === undefined || type === 'number or string' || type === 'map' || type === 'object') return [];
    return [{ field: name, type, value: String(value) }];
  });
}
