import { CLIENT_FIELDS, type ClientField } from '@svc/client-metadata';

/**
 * The metadata that lists can be filtered by: fields with a closed set of values, and yes or no. The facet of a Client,
 * which the trigger `client_listed` keeps, covers the same fields.
 */
export const FEW_VALUED_FIELDS: readonly ClientField[] = CLIENT_FIELDS.filter(
  (field) => field.editable === 'always' && (field.values !== undefined || field.type === 'boolean'),
);

/** What a filter on a field can ask for: whatever a Client can have where configuration allows the most. */
export function filterValues({ type, values = [], widenings = [] }: ClientField): readonly string[] {
  return type === 'boolean' ? ['true', 'false'] : [...values, ...widenings];
}
