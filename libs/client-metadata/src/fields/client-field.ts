/** A string format; `FIELD_FORMATS` defines its check and JSON Schema. */
export type FieldFormat =
  | 'display-name'
  | 'text'
  | 'client-id'
  | 'redirect-uri'
  | 'web-uri'
  | 'endpoint-uri'
  | 'keys-uri'
  | 'scope'
  | 'jwks'
  | 'domain'
  | 'duration'
  | 'labels';

/** Inclusive limits; lengths count Unicode code points, like JSON Schema and PostgreSQL. */
export interface FieldLimits {
  /** Bounds on each string. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Bounds on a list, a map, or the keys of a JSON Web Key Set. */
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** One row of the client metadata table: the full definition of a field. */
export interface ClientField {
  /** Name on the wire. */
  readonly name: string;
  /** Label in the console. */
  readonly label: string;
  /** One or two sentences for the form's help and the API document. */
  readonly description: string;
  /** The document that defines the field. */
  readonly source: string;
  /** `canonical`: defined by OAuth 2.0 or OpenID Connect registration; `own`: this registry's. */
  readonly group: 'canonical' | 'own';
  /** `map`: an object whose values are strings; `object`: any other JSON object, defined by its format. */
  readonly type: 'string' | 'string[]' | 'boolean' | 'number or string' | 'map' | 'object';
  readonly format?: FieldFormat;
  readonly required: boolean;
  /** Supported only if configuration lists it. */
  readonly optional?: true;
  /** Also registered by language, as `client_name#de` (RFC 7591 section 2.2), in the languages that configuration lists. */
  readonly localized?: true;
  /** The use case that needs the field although `required` is false. */
  readonly requiredFor?: string;
  readonly editable: 'always' | 'never' | 'registration';
  readonly default?: string | readonly string[];
  /** The configured value that serves as the default. */
  readonly defaultFrom?: 'default_cookie_domain';
  /** How the server generates a value, for fields without a fixed default. */
  readonly generated?: string;
  /** The specification's allowed values, for a closed set. */
  readonly values?: readonly string[];
  /** Values that configuration may add. */
  readonly optionalValues?: readonly string[];
  readonly limits: FieldLimits;
  /** True if developers may set it through public registration; a list restricts it to these values. */
  readonly public: boolean | readonly string[];
  /** For server-owned fields: why a request must not contain it. */
  readonly refusal?: string;
}

/** Limits of every URI. */
export const URI_LIMITS = { minLength: 1, maxLength: 2048 } as const;
