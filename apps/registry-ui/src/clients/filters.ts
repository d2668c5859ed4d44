import { fieldNamed, WARNING_CODES } from '@svc/client-metadata';
import type { Features } from '../api/client-documents.js';
import { warningLabel } from '../metadata/warning-label.js';
import { text } from '../texts/text.js';

/** A filter of the client list. */
export interface Filter {
  /** Its parameter in `GET /client`. */
  readonly name: string;
  readonly label: string;
  /** The allowed values; omitted for a date. */
  readonly options?: readonly FilterOption[];
}

interface FilterOption {
  readonly value: string;
  readonly label: string;
}

const YES_OR_NO: readonly FilterOption[] = [
  { value: 'true', label: text('field.yes') },
  { value: 'false', label: text('field.no') },
];

/** The same spans as on the overview. */
const SOON_IN_DAYS = [1, 7, 30] as const;

const OF_STATE: readonly Filter[] = [
  {
    name: 'enabled',
    label: text('filter.enabled'),
    options: [
      { value: 'true', label: text('state.enabled') },
      { value: 'false', label: text('state.disabled') },
    ],
  },
  { name: 'pending', label: text('filter.pending'), options: YES_OR_NO },
  { name: 'has_warnings', label: text('filter.has_warnings'), options: YES_OR_NO },
  {
    name: 'warning',
    label: text('filter.warning'),
    options: WARNING_CODES.map((code) => ({ value: code, label: warningLabel(code) })),
  },
  {
    name: 'secret_expires_within',
    label: text('filter.secret_expires_within'),
    options: SOON_IN_DAYS.map((days) => ({
      value: String(days),
      label: text('filter.days', { count: days }),
    })),
  },
  { name: 'secret_never_used', label: text('filter.secret_never_used'), options: YES_OR_NO },
  { name: 'never_used', label: text('filter.never_used'), options: YES_OR_NO },
];

const OF_TIME: readonly Filter[] = [
  { name: 'created_since', label: text('filter.created_since') },
  { name: 'updated_since', label: text('filter.updated_since') },
  { name: 'last_used_before', label: text('filter.last_used_before') },
  { name: 'refused_since', label: text('filter.refused_since') },
];

/** All filters, including every field with a limited set of values unless it is optional. */
export function filtersOf(features: Features | undefined): Filter[] {
  const fields = (features?.fields ?? []).filter(
    ({ name, editable, allowed_values, type }) =>
      editable === 'always' &&
      fieldNamed(name)?.optional !== true &&
      (allowed_values !== undefined || type === 'boolean'),
  );
  const ofFields = fields.map(({ name, label, allowed_values }) => ({
    name,
    label,
    options: allowed_values?.map((value) => ({ value, label: value })) ?? YES_OR_NO,
  }));
  return [...OF_STATE, ...ofFields, ...OF_TIME];
}
