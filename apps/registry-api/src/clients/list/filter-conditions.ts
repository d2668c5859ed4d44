import { foldText } from '@svc/client-metadata';
import type { StatementValues } from '../../database/statement-values.js';
import { isUsedSince } from '../last-use.js';
import { searchPatterns, substringPattern } from '../search-text.js';
import { selectorConditions } from '../selector-conditions.js';
import type { ClientFilter, ClientOrder, LabelFilter, ListPosition, MetadataFilter } from './page-request.js';

/** A public Client may have a secret, but never uses it. */
export const USES_SECRETS = `metadata->>'token_endpoint_auth_method' IN ('client_secret_basic', 'client_secret_post')`;

/** Conditions on what the facet covers, for rows with a Client's metadata, state and warnings. */
export function facetConditions(filter: ClientFilter, values: StatementValues): string[] {
  const { enabled, hasWarnings, warning, metadata, secretExpiresWithin, secretNeverUsed } = filter;
  return [
    ...(enabled === undefined ? [] : [`enabled = ${values.add(enabled)}`]),
    ...(hasWarnings === undefined ? [] : [`(cardinality(warnings) > 0) = ${values.add(hasWarnings)}`]),
    ...(warning === undefined ? [] : [`${values.add(warning)} = ANY (warnings)`]),
    ...metadata.map((condition) => metadataCondition(condition, values)),
    ...(secretExpiresWithin !== undefined || secretNeverUsed === true ? [USES_SECRETS] : []),
  ];
}

/** The field name comes from the metadata table, never from a caller. */
function metadataCondition({ field, type, value }: MetadataFilter, values: StatementValues): string {
  if (type === 'string') return `metadata->>'${field}' = ${values.add(value)}`;
  if (type === 'string[]') return `metadata->'${field}' ? ${values.add(value)}`;
  return `(metadata->'${field}' IS NOT DISTINCT FROM 'true'::jsonb) = ${values.add(value === 'true')}`;
}

/** Conditions that bound the key of an index in this order. */
export function rangeConditions(
  filter: ClientFilter,
  order: ClientOrder,
  after: ListPosition | undefined,
  values: StatementValues,
): string[] {
  const since = sinceOf(filter).find(({ column }) => column === order.column);
  return [
    ...(since ? [`c.${since.column} >= ${values.add(since.time)}`] : []),
    ...(after ? [afterCondition(order, after, values)] : []),
  ];
}

/**
 * Conditions covered by neither the facet nor the range of an index in this order.
 *
 * @param oneByOne whether Clients are tested one by one; otherwise PostgreSQL may start with the rarest condition
 */
export function remainingConditions(
  filter: ClientFilter,
  order: ClientOrder | undefined,
  values: StatementValues,
  oneByOne = false,
): string[] {
  const since = sinceOf(filter).filter(({ column }) => column !== order?.column);
  return [
    ...selectorConditions(filter.selector, values),
    ...(filter.clientIds ? [`c.client_id = ANY (${values.add(filter.clientIds)}::text[])`] : []),
    ...since.map(({ column, time }) => `c.${column} >= ${values.add(time)}`),
    ...searchPatterns(filter.q ?? '').map((pattern) => `c.search_text LIKE ${values.add(pattern)}`),
    ...(filter.host === undefined ? [] : [hostCondition(filter.host, values)]),
    ...(filter.labels ?? []).map((label) => labelCondition(label, values)),
    ...(filter.managedBy === undefined ? [] : [`c.managed_by = ${values.add(filter.managedBy)}`]),
    ...(filter.pending === undefined ? [] : [filter.pending ? 'c.pending' : 'NOT c.pending']),
    ...secretConditions(filter, values, oneByOne),
    ...usageConditions(filter, values, oneByOne),
  ];
}

/** The search text contains the hosts among others, and has an index. In the collation C, no locale has an effect. */
function hostCondition(host: string, values: StatementValues): string {
  return `c.search_text LIKE ${values.add(substringPattern(foldText(host)))} AND EXISTS (
    SELECT FROM jsonb_array_elements_text(c.metadata->'redirect_uris') AS uri
    WHERE substring(lower(uri COLLATE "C") FROM '^[^:/?#]+://([^/?#]*)')
      LIKE ${values.add(substringPattern(host.toLowerCase()))})`;
}

/** The index of labels serves values, which are far rarer than keys. */
function labelCondition({ key, value, isExcluded }: LabelFilter, values: StatementValues): string {
  const has =
    value === undefined
      ? `c.labels ? ${values.add(key)}`
      : `c.labels @> ${values.add(JSON.stringify({ [key]: value }))}::jsonb`;
  return isExcluded ? `NOT (${has})` : has;
}

const EVER = `'-infinity'::timestamptz`;

const VALID = '(s.expires_at IS NULL OR s.expires_at > now())';

/** Whether the Client uses its secrets at all is covered by the facet. */
function secretConditions(
  { secretExpiresWithin: days, secretNeverUsed: unused }: ClientFilter,
  values: StatementValues,
  oneByOne: boolean,
): string[] {
  // Without the OFFSET, PostgreSQL would first collect every matching secret, which may be nearly all of them.
  const has = (condition: string) =>
    `EXISTS (SELECT FROM client_secret s WHERE s.client_id = c.client_id AND ${condition}${oneByOne ? ' OFFSET 0' : ''})`;
  const soon = () => `now() + make_interval(days => ${values.add(days)})`;
  const isUnused = has(`s.last_used_at IS NULL AND ${VALID}`);
  return [
    ...(days === undefined ? [] : [has(`s.expires_at > now() AND s.expires_at <= ${soon()}`)]),
    ...(unused === true ? [isUnused] : []),
    ...(unused === false ? [`NOT (c.${USES_SECRETS} AND ${isUnused})`] : []),
  ];
}

function usageConditions(
  { lastUsedBefore, neverUsed, refusedSince }: ClientFilter,
  values: StatementValues,
  oneByOne: boolean,
): string[] {
  const once = oneByOne ? ' OFFSET 0' : '';
  const before = lastUsedBefore && `${values.add(lastUsedBefore)}::timestamptz`;
  return [
    ...(before === undefined ? [] : [`c.created_at < ${before} AND NOT ${isUsedSince(before, once)}`]),
    ...(neverUsed === undefined ? [] : [`${neverUsed ? 'NOT ' : ''}${isUsedSince(EVER, once)}`]),
    ...(refusedSince === undefined
      ? []
      : [
          `EXISTS (SELECT FROM client_last_use u WHERE u.client_id = c.client_id
             AND u.refused_at >= ${values.add(refusedSince)}${once})`,
        ]),
  ];
}

function sinceOf({ createdSince, updatedSince }: ClientFilter) {
  return [
    ...(createdSince ? [{ column: 'created_at', time: createdSince } as const] : []),
    ...(updatedSince ? [{ column: 'updated_at', time: updatedSince } as const] : []),
  ];
}

function afterCondition(
  order: ClientOrder,
  { key, clientId }: ListPosition,
  values: StatementValues,
): string {
  const comparison = order.direction === 'ASC' ? '>' : '<';
  if (order.column === 'client_id') return `c.client_id ${comparison} ${values.add(clientId)}`;
  const position = values.add(order.isTime ? new Date(key) : key);
  return `(c.${order.column}, c.client_id) ${comparison} (${position}, ${values.add(clientId)})`;
}
