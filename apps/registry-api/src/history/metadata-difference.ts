import { isDeepStrictEqual } from 'node:util';
import { CLIENT_FIELDS, type ClientMetadata } from '@svc/client-metadata';
import type { FieldChange } from './history.dto.js';

/** The fields that differ, in the order of the metadata table; those that it no longer has at the end. */
export function metadataDifference(
  before: ClientMetadata | null,
  after: ClientMetadata | null,
): FieldChange[] {
  const from = new Map(Object.entries(before ?? {}));
  const to = new Map(Object.entries(after ?? {}));
  const names = new Set([...CLIENT_FIELDS.map(({ name }) => name), ...from.keys(), ...to.keys()]);
  return [...names]
    .filter((field) => !isDeepStrictEqual(from.get(field), to.get(field)))
    .map((field) => ({
      field,
      ...(from.has(field) && { before: from.get(field) }),
      ...(to.has(field) && { after: to.get(field) }),
    }));
}
