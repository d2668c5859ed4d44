/** A server-owned property of responses, besides the table's rows with `editable: never`. */
export interface ServerField {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';
  readonly description: string;
  /** JSON Schema of the items of an array. */
  readonly items?: Readonly<Record<string, unknown>>;
  /** JSON Schema of the members of an object. */
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly source: string;
  /** True if RFC 7592 section 2.2 forbids it in updates even with its current value. */
  readonly forbiddenInManagement: boolean;
  /** True if it can change independently of the Client: updates may send back any previous value. */
  readonly volatile?: true;
}

const TEXT = { type: 'string' };
const TIME = { type: 'string', format: 'date-time' };

export const SERVER_FIELDS: readonly ServerField[] = [
  {
    name: 'client_id_issued_at',
    type: 'integer',
    description: 'When the client was registered, in seconds since 1970-01-01T00:00:00Z.',
    source: 'RFC 7591 section 3.2.1',
    forbiddenInManagement: true,
  },
  {
    name: 'client_secret_expires_at',
    type: 'integer',
    description: 'When the client_secret expires, in seconds since 1970-01-01T00:00:00Z; 0 if it does not.',
    source: 'RFC 7591 section 3.2.1',
    forbiddenInManagement: true,
  },
  {
    name: 'client_secret_hint',
    type: 'string',
    description: 'The last 4 characters of the client_secret; empty if it was imported as a hash.',
    source: 'this registry',
    forbiddenInManagement: false,
  },
  {
    name: 'client_secrets',
    type: 'array',
    description:
      'The client_secrets, newest first, without their values: hint (the last 4 characters), created_at, expires_at ' +
      '(absent: never), in RFC 3339; in lists and exports last_used_at too (known to the hour; absent: never). `imported`: it was imported; in lists and exports also imported_hash ' +
      '(the scheme of a hash of another product, until the secret passes a check) and imported_hash_ends_at. After a ' +
      'rotation with an overlap there are two; one whose expires_at has passed is no longer valid.',
    items: {
      type: 'object',
      required: ['hint', 'created_at'],
      properties: {
        ...{ hint: TEXT, created_at: TIME, expires_at: TIME, last_used_at: TIME },
        ...{ imported: { type: 'boolean' }, imported_hash: TEXT, imported_hash_ends_at: TIME },
      },
    },
    source: 'this registry',
    forbiddenInManagement: false,
    volatile: true,
  },
  {
    name: 'temporary_redirect_uris',
    type: 'array',
    description:
      'The temporary redirect_uris: from expires_at (RFC 3339) on, they fail every check; they are removed soon after. ' +
      'POST /client/{client_id}/redirect_uris adds them. Absent when there are none.',
    items: {
      type: 'object',
      required: ['redirect_uri', 'expires_at'],
      properties: { redirect_uri: TEXT, expires_at: TIME, note: TEXT },
    },
    source: 'this registry',
    forbiddenInManagement: false,
    volatile: true,
  },
  {
    name: 'session_expiration_seconds',
    type: 'number',
    description: 'session_expiration in seconds.',
    source: 'this registry',
    forbiddenInManagement: false,
  },
  {
    name: 'registration_access_token',
    type: 'string',
    description: 'The token with which a developer manages the client.',
    source: 'RFC 7592 section 3',
    forbiddenInManagement: true,
  },
  {
    name: 'registration_client_uri',
    type: 'string',
    description: 'Where a developer manages the client.',
    source: 'RFC 7592 section 3',
    forbiddenInManagement: true,
  },
  {
    name: 'enabled',
    type: 'boolean',
    description: 'False while the client is disabled: it fails every check.',
    source: 'this registry',
    forbiddenInManagement: false,
  },
  {
    name: 'pending',
    type: 'boolean',
    description:
      'True: the client came through open registration, and is disabled until an administrator enables it. Absent otherwise.',
    source: 'this registry',
    forbiddenInManagement: false,
  },
  {
    name: 'managed_by',
    type: 'string',
    description:
      'What manages the client: users, developers (POST /register), import, or set:<name> for a set of declarations. ' +
      'Absent for clients from before it was recorded.',
    source: 'this registry',
    forbiddenInManagement: false,
  },
  {
    name: 'registered_by',
    type: 'object',
    description:
      'The token that registered the client: its id, and its name at the time. Absent for clients from before it was recorded.',
    properties: { id: TEXT, name: TEXT },
    source: 'this registry',
    forbiddenInManagement: false,
  },
  {
    name: 'created_at',
    type: 'string',
    description: 'When the client was registered (RFC 3339).',
    source: 'this registry',
    forbiddenInManagement: false,
  },
  {
    name: 'updated_at',
    type: 'string',
    description: 'When the client was last changed (RFC 3339).',
    source: 'this registry',
    forbiddenInManagement: false,
  },
  {
    name: 'warnings',
    type: 'array',
    description: 'Settings that are allowed but rarely wise: a field, a code and a message each.',
    items: {
      type: 'object',
      required: ['field', 'code', 'message'],
      properties: { field: TEXT, code: TEXT, message: TEXT },
    },
    source: 'this registry',
    forbiddenInManagement: false,
  },
];
