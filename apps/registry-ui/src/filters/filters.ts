import { fieldNamed, parseLabel, WARNING_CODES } from '@svc/client-metadata';
import type { Features } from '../api/client-documents.js';
import { warningLabel } from '../metadata/warning-label.js';
import { text } from '../texts/clients.js';
import { describeInstant } from './local-days.js';

/** A filter of the client list. */
export interface Filter {
  /** Its parameter in `GET /client`. */
  readonly name: string;
  readonly label: string;
  /** The allowed values, or frequent ones if `read` takes others; omitted for a date. */
  readonly options?: readonly FilterOption[];
  /** An example of free text. */
  readonly example?: string;
  /** Turns free text into the parameter's value; `undefined` if it is invalid. */
  readonly read?: (typed: string) => string | undefined;
}

export interface FilterOption {
  readonly value: string;
  readonly label: string;
}

const YES_OR_NO: readonly FilterOption[] = [
  { value: 'true', label: text('field.yes') },
  { value: 'false', label: text('field.no') },
];

/** The same spans as on the overview. */
const SOON_IN_DAYS = [1, 7, 30] as const;

/** As in `GET /client`. */
const MAX_DAYS = 3_650;
const HOST_PART = /^[^\s/?#\p{Cc}]{1,253}$/u;
const MANAGER = /^(?:users|developers|import|set:\S{1,63})$/;

/** A label as users write it, with `=` or with the `:` of the HTTP API. */
function readLabel(typed: string): string | undefined {
  const label = typed.replace('=', ':');
  return parseLabel(label) ? label : undefined;
}

const OF_TEXT: readonly Filter[] = [
  {
    name: 'host',
    label: text('filter.host'),
    example: 'acme.example',
    read: (typed) => (HOST_PART.test(typed) ? typed : undefined),
  },
  { name: 'label', label: text('filter.label'), example: 'team=shop', read: readLabel },
  { name: 'label!', label: text('filter.label.not'), example: 'team=shop', read: readLabel },
  {
    name: 'managed_by',
    label: text('filter.managed_by'),
    options: ['users', 'developers', 'import'].map((value) => ({ value, label: value })),
    example: 'set:shop',
    read: (typed) => (MANAGER.test(typed) ? typed : undefined),
  },
];

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
    read: (typed) => (/^[1-9]\d*$/.test(typed) && Number(typed) <= MAX_DAYS ? typed : undefined),
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
  return [...OF_STATE, ...OF_TEXT, ...ofFields, ...OF_TIME];
}

/** A value as the filter menu shows it. */
export function describeValue(filter: Filter | undefined, value: string): string {
  const option = filter?.options?.find((one) => one.value === value);
  if (option) return option.label;
  return filter && !filter.options && !filter.read ? describeInstant(value) : value;
}
