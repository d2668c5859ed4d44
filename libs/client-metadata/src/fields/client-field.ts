/** How a string is written. `FIELD_FORMATS` holds the check and the JSON Schema of each. */
export type FieldFormat =
  'display-name' | 'text' | 'client-id' | 'redirect-uri' | 'web-uri' | 'endpoint-uri' | 'domain' | 'duration';

/** Bounds, inclusive; lengths count Unicode code points, as JSON Schema and PostgreSQL do. */
export interface FieldLimits {
  /** Of each string. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Of a list. */
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** One row of the client metadata table: all the system knows about one field. */
export interface ClientField {
  /** Name on the wire. */
  readonly name: string;
  /** What the admin form calls it. */
  readonly label: string;
  /** One or two sentences for the form's help and the API document. */
  readonly description: string;
  /** The document that defines the field. */
  readonly source: string;
  /** `canonical`: defined by OAuth 2.0 or OpenID Connect registration; `own`: this registry's. */
  readonly group: 'canonical' | 'own';
  readonly type: 'string' | 'string[]' | 'boolean' | 'number or string';
  readonly format?: FieldFormat;
  readonly required: boolean;
  /** Where the field is needed although `required` is false. */
  readonly requiredFor?: string;
  readonly editable: 'always' | 'never' | 'registration';
  readonly default?: string | readonly string[];
  /** The configured value that serves as the default. */
  readonly defaultFrom?: 'default_cookie_domain';
  /** How the server finds a value that no default can be written down for. */
  readonly generated?: string;
  /** The specification's allowed values, where they are a closed set. */
  readonly values?: readonly string[];
  /** The values that configuration may add to them. */
  readonly optionalValues?: readonly string[];
  readonly limits: FieldLimits;
  /** True when a developer may set it through public registration; a list: to these values only. */
  readonly public: boolean | readonly string[];
  /** Why it is refused in a request, for fields that the server owns. */
  readonly refusal?: string;
}

/** What holds for every URI. */
export const URI_LIMITS = { minLength: 1, maxLength: 2048 } as const;
