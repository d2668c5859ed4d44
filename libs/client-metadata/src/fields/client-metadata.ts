import type { CLIENT_FIELD_ROWS } from './client-fields.js';
import type { JsonWebKeySet } from './signing-keys.js';

type Row = (typeof CLIENT_FIELD_ROWS)[number];
type EditableRow = Extract<Row, { editable: 'always' }>;
type PresentRow = Extract<EditableRow, { required: true } | { default: unknown }>;

type ValueOf<R extends Row> = R extends { type: 'string[]' }
  ? readonly string[]
  : R extends { type: 'boolean' }
    ? boolean
    : R extends { type: 'number or string' }
      ? number | string
      : R extends { type: 'map' }
        ? Readonly<Record<string, string>>
        : R extends { type: 'object' }
          ? JsonWebKeySet
          : R extends { optionalValues: unknown }
            ? string
            : R extends { values: readonly (infer Value)[] }
              ? Value
              : string;

/**
 * A Client's complete editable metadata, as stored: defaults are filled in, and fields without value or default are
 * absent. The type is derived from the field table, one property per row.
 */
export type ClientMetadata = { readonly [R in PresentRow as R['name']]: ValueOf<R> } & {
  readonly [R in Exclude<EditableRow, PresentRow> as R['name']]?: ValueOf<R>;
} & {
  /** A field in one language, as `client_name#de`. */
  readonly [localized: `${string}#${string}`]: string | undefined;
};

export type RedirectUriValidationMethod = ClientMetadata['redirect_uri_validation_method'];
export type CodeChallengeMethod = ClientMetadata['code_challenge_method'];

/**
 * A stored Client for updates: its metadata and the server-owned fields (`client_id`, `cookie_name`,
 * `client_id_issued_at`, ...). Pass the complete `GET` response, so that clients can send it back unchanged.
 */
export type CurrentClient = ClientMetadata & {
  readonly client_id: string;
  readonly [serverOwned: string]: unknown;
};
