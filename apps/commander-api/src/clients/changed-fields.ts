import { isDeepStrictEqual } from 'node:util';
import { CLIENT_FIELDS, type ClientMetadata } from '@svc/client-metadata';
import type { ClientDocument } from '@svc/registry-client';

/** A changed field. An absent value is null. */
export interface ChangedField {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

const FIELDS = CLIENT_FIELDS.filter(({ editable }) => editable === 'always').map(({ name }) => name);

/**
 * The fields of a Client that a declaration changes.
 *
 * @param after complete, with defaults
 * @param enabled as declared; undefined to leave it unchanged
 */
export function changedFields(
  before: ClientDocument,
  after: ClientMetadata,
  enabled: boolean | undefined,
): ChangedField[] {
  const wanted = new Map<string, unknown>(Object.entries(after));
  const fields = FIELDS.map((field) => ({
    field,
    before: before[field] ?? null,
    after: wanted.get(field) ?? null,
  }));
  const isEnabled = before['enabled'] ?? true;
  const all = [...fields, { field: 'enabled', before: isEnabled, after: enabled ?? isEnabled }];
  return all.filter((each) => !isDeepStrictEqual(each.before, each.after));
}
