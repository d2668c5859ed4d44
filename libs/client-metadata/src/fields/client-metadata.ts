import type { CLIENT_FIELD_ROWS } from './client-fields.js';

type Row = (typeof CLIENT_FIELD_ROWS)[number];
type EditableRow = Extract<Row, { editable: 'always' }>;
type PresentRow = Extract<EditableRow, { required: true } | { default: unknown }>;

type ValueOf<R extends Row> = R extends { type: 'string[]' }
  ? readonly string[]
  : R extends { type: 'boolean' }
    ? boolean
    : R extends { type: 'number or string' }
      ? number | string
      : R extends { optionalValues: unknown }
        ? string
        : R extends { values: readonly (infer Value)[] }
          ? Value
          : string;

/**
 * The stored, complete state of a Client's editable metadata, under the names of the wire: defaults are filled in,
 * a field that has neither value nor default is absent. Derived from the table; one row there is one member here.
 */
export type ClientMetadata = { readonly [R in PresentRow as R['name']]: ValueOf<R> } & {
  readonly [R in Exclude<EditableRow, PresentRow> as R['name']]?: ValueOf<R>;
};

export type RedirectUriValidationMethod = ClientMetadata['redirect_uri_validation_method'];
export type CodeChallengeMethod = ClientMetadata['code_challenge_method'];

/**
 * A stored Client as an update sees it: its metadata and, beside it, what the server owns (`client_id`,
 * `cookie_name`, `client_id_issued_at`, ...). Hand in what `GET` answers with, so that its answer can be sent back.
 */
export type CurrentClient = ClientMetadata & {
  readonly client_id: string;
  readonly [serverOwned: string]: unknown;
};
