import type { ClientField } from './client-field.js';
import { CLIENT_FIELDS, type CLIENT_FIELD_ROWS } from './client-fields.js';
import { quote } from '../violations/violation.js';
import { isDomain, isHost } from '../uri/host.js';

/** The fields whose allowed values configuration can extend. */
export type ExtensibleField = Extract<
  (typeof CLIENT_FIELD_ROWS)[number],
  { optionalValues: unknown }
>['name'];

/** What the running server supports: the specification's values and those added by configuration. */
export type Capabilities = { readonly [Name in ExtensibleField]: readonly string[] } & {
  /** Hosts, besides loopback, whose redirect URIs may use plain http: lower case, without a port. */
  readonly http_redirect_hosts: readonly string[];
  /** The default of `cookie_domain`. */
  readonly default_cookie_domain?: string;
  /** Maximum session that a developer may set, in seconds. Default {@link DEVELOPER_SESSION_SECONDS}. */
  readonly developer_session_seconds?: number;
};

/** 30 days. */
export const DEVELOPER_SESSION_SECONDS = 30 * 24 * 3600;

/** What configuration may add. */
export type CapabilityExtension = { readonly [Name in keyof Capabilities]?: Capabilities[Name] | undefined };

/**
 * The specification's capabilities, extended by configuration.
 *
 * @throws {RangeError} naming each unsupported value, invalid host and invalid domain
 */
export function extendCapabilities(extension: CapabilityExtension): Capabilities {
  const violations: string[] = [];
  const extended = EXTENSIBLE_FIELDS.map((field) => [
    field.name,
    extendedValues(field, extension, violations),
  ]);
  const hosts = (extension.http_redirect_hosts ?? []).map((host) => host.toLowerCase());
  for (const host of hosts) {
    if (!isHost(host)) violations.push(`http_redirect_hosts: ${quote(host)} is not a host name or address`);
  }
  const domain = extension.default_cookie_domain;
  if (domain !== undefined && !isDomain(domain)) {
    violations.push(`default_cookie_domain: ${quote(domain)} is not a domain name`);
  }
  if (violations.length > 0) throw new RangeError(violations.join('; '));
  return {
    ...(Object.fromEntries(extended) as { [Name in ExtensibleField]: readonly string[] }),
    http_redirect_hosts: hosts,
    ...(domain !== undefined && { default_cookie_domain: domain }),
    ...(extension.developer_session_seconds !== undefined && {
      developer_session_seconds: extension.developer_session_seconds,
    }),
  };
}

const EXTENSIBLE_FIELDS = CLIENT_FIELDS.filter((field) => field.optionalValues);

/** The specification's capabilities, without extensions. */
export const DEFAULT_CAPABILITIES: Capabilities = extendCapabilities({});

/** The allowed values of a field with a closed set, including configured ones. */
export function allowedValues(field: ClientField, capabilities: Capabilities): readonly string[] | undefined {
  return field.optionalValues ? capabilities[field.name as ExtensibleField] : field.values;
}

/** The field's default, from the table or the configuration. */
export function defaultOf(field: ClientField, capabilities: Capabilities): ClientField['default'] {
  return field.defaultFrom ? capabilities[field.defaultFrom] : field.default;
}

function extendedValues(
  field: ClientField,
  extension: CapabilityExtension,
  violations: string[],
): readonly string[] {
  const { name, values = [], optionalValues = [] } = field;
  const added = extension[name as ExtensibleField] ?? [];
  const unknown = added.filter((value) => !values.includes(value) && !optionalValues.includes(value));
  violations.push(
    ...unknown.map(
      (value) => `${name}: ${quote(value)} is none of ${[...values, ...optionalValues].join(', ')}`,
    ),
  );
  return [...new Set([...values, ...added])];
}
