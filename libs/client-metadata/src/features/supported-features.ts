import { allowedValues, defaultOf, supportedFields, type Capabilities } from '../fields/capabilities.js';
import type { ClientField } from '../fields/client-field.js';
import { CLIENT_FIELDS } from '../fields/client-fields.js';
import { MAX_SESSION_SECONDS, MIN_SESSION_SECONDS } from '../fields/session-expiration.js';
import { clientTemplates, type ClientTemplate } from './client-templates.js';
import { DEVIATIONS, type Deviation, SECRET_IMPORT_DEVIATION } from './deviations.js';
import { registrationSchema, updateSchema, type JsonSchema } from './json-schema.js';

/** A field as supported by the running server. */
export interface SupportedField {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly source: string;
  readonly group: ClientField['group'];
  readonly type: ClientField['type'];
  readonly format?: NonNullable<ClientField['format']>;
  readonly required: boolean;
  readonly required_for?: string;
  readonly editable: ClientField['editable'];
  readonly default?: NonNullable<ClientField['default']>;
  readonly generated?: string;
  readonly allowed_values?: readonly string[];
  readonly min_length?: number;
  readonly max_length?: number;
  readonly min_items?: number;
  readonly max_items?: number;
  /** Whether developers may set it (POST /register); a list restricts it to these values. */
  readonly public: boolean | readonly string[];
}

/** The `GET /client/features` response. */
export interface SupportedFeatures {
  /** In table order, which is also the form's order. */
  readonly fields: readonly SupportedField[];
  /** JSON Schema, draft 2020-12. */
  readonly schemas: { readonly registration: JsonSchema; readonly update: JsonSchema };
  readonly templates: readonly ClientTemplate[];
  readonly limits: {
    readonly redirect_uris: number;
    readonly uri_length: number;
    readonly session_expiration_seconds: { readonly minimum: number; readonly maximum: number };
    /** Hosts besides localhost, 127.0.0.0/8 and [::1] whose redirect URIs may be plain http. */
    readonly http_redirect_hosts: readonly string[];
  };
  readonly deviations: readonly Deviation[];
  /** Present if imports may contain client secrets. */
  readonly secret_import?: SecretImport;
}

/** The client secrets that imports may contain. */
export interface SecretImport {
  /** Schemes of `client_secret_hash`. */
  readonly hashes: readonly string[];
  /** How long such a hash is accepted if its secret passes no check in that time. */
  readonly hash_max_age_seconds: number;
}

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** Describes what can be registered, derived from the field table. */
export function supportedFeatures(
  capabilities: Capabilities,
  secretImport?: SecretImport,
): SupportedFeatures {
  const redirectUris = CLIENT_FIELDS.find((field) => field.name === 'redirect_uris')?.limits;
  return {
    fields: supportedFields(capabilities).map((field) => supportedField(field, capabilities)),
    schemas: {
      registration: { $schema: DIALECT, ...registrationSchema(capabilities) },
      update: { $schema: DIALECT, ...updateSchema(capabilities) },
    },
    templates: clientTemplates(capabilities),
    limits: {
      redirect_uris: redirectUris?.maxItems ?? 0,
      uri_length: redirectUris?.maxLength ?? 0,
      session_expiration_seconds: { minimum: MIN_SESSION_SECONDS, maximum: MAX_SESSION_SECONDS },
      http_redirect_hosts: capabilities.http_redirect_hosts,
    },
    ...(secretImport
      ? { deviations: [...DEVIATIONS, SECRET_IMPORT_DEVIATION], secret_import: secretImport }
      : { deviations: DEVIATIONS }),
  };
}

function supportedField(field: ClientField, capabilities: Capabilities): SupportedField {
  const { name, label, description, source, group, type, format, required, editable, limits } = field;
  const optional = {
    format,
    required_for: field.requiredFor,
    default: defaultOf(field, capabilities),
    generated: field.generated,
    allowed_values: allowedValues(field, capabilities),
    min_length: limits.minLength,
    max_length: limits.maxLength,
    min_items: limits.minItems,
    max_items: limits.maxItems,
  };
  const present = Object.entries(optional).filter(([, value]) => value !== undefined);
  return {
    ...{ name, label, description, source, group, type, required, editable, public: field.public },
    ...Object.fromEntries(present),
  };
}
