import { CANONICAL_FIELD_ROWS } from './canonical-fields.js';
import type { ClientField } from './client-field.js';
import { OPTIONAL_FIELD_ROWS } from './optional-fields.js';
import { OWN_FIELD_ROWS } from './own-fields.js';

/** The rows with their literal types, from which `ClientMetadata` is derived. */
export const CLIENT_FIELD_ROWS = [
  ...CANONICAL_FIELD_ROWS,
  ...OPTIONAL_FIELD_ROWS,
  ...OWN_FIELD_ROWS,
] as const;

/** The client metadata table. Validation, defaults, features, OpenAPI and the form all read it. */
export const CLIENT_FIELDS: readonly ClientField[] = CLIENT_FIELD_ROWS;
