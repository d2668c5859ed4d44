import type { ClientField } from './client-field.js';
import { CLIENT_FIELDS, type CLIENT_FIELD_ROWS } from './client-fields.js';
import { quote } from '../violations/violation.js';
import { isDomain, isHost } from '../uri/host.js';

/** The table's fields whose allowed values configuration can widen. */
export type ExtensibleField = Extract<
  (typeof CLIENT_FIELD_ROWS)[number],
  { optionalValues: unknown }
>['name'];

/** What the running server supports: the specification's values, and those that configuration adds to them. */
export type Capabilities = { readonly [Name in ExtensibleField]: readonly string[] } & {
  /** Hosts besides the loopback ones whose redirect URIs may use plain http: in lower case, without a port. */
  readonly http_redirect_hosts: readonly string[];
  /** What `cookie_domain` is when a Client does not say. */
  readonly default_cookie_domain?: string;
  /** The longest session that a developer may ask for, in seconds; {@link DEVELOPER_SESSION_SECONDS} when absent. */
  readonly developer_session_seconds?: number;
};

/** 30 days. */
export const DEVELOPER_SESSION_SECONDS = 30 * 24 * 3600;

/** What configuration may add. */
export type CapabilityExtension = { readonly [Name in keyof Capabilities]?: Capabilities[Name] | undefined };

/**
 * The specification's capabilities and what configuration adds to them.
 *
 * @throws {RangeError} naming each value that the field table cannot validate, each bad host and domain
 */
export function extendCapabilities(widening: CapabilityExtension): Capabilities {
  const violations: string[] = [];
  const widened = EXTENSIBLE_FIELDS.map((field) => [field.name, extendedValues(field, widening, violations)]);
  const hosts = (widening.http_redirect_hosts ?? []).map((host) => host.toLowerCase());
  for (const host of hosts) {
    if (!isHost(host)) violations.push(`http_redirect_hosts: ${quote(host)} is no host name or address`);
  }
  const domain = widening.default_cookie_domain;
  if (domain !== undefined && !isDomain(domain)) {
    violations.push(`default_cookie_domain: ${quote(domain)} is no domain name`);
  }
  if (violations.length > 0) throw new RangeError(violations.join('; '));
  return {
    ...(Object.fromEntries(widened) as { [Name in ExtensibleField]: readonly string[] }),
    http_redirect_hosts: hosts,
    ...(domain !== undefined && { default_cookie_domain: domain }),
    ...(widening.developer_session_seconds !== undefined && {
      developer_session_seconds: widening.developer_session_seconds,
    }),
  };
}

const EXTENSIBLE_FIELDS = CLIENT_FIELDS.filter((field) => field.optionalValues);

/** Exactly the specification's. */
export const DEFAULT_CAPABILITIES: Capabilities = extendCapabilities({});

/** The values that the field may have here, where they are a closed set: the specification's or the widened ones. */
export function allowedValues(field: ClientField, capabilities: Capabilities): readonly string[] | undefined {
  return field.optionalValues ? capabilities[field.name as ExtensibleField] : field.values;
}

/** What a field holds when a Client does not say: the default of the table or of the configuration. */
export function defaultOf(field: ClientField, capabilities: Capabilities): ClientField['default'] {
  return field.defaultFrom ? capabilities[field.defaultFrom] : field.default;
}

function extendedValues(
  field: ClientField,
  widening: CapabilityExtension,
  violations: string[],
): readonly string[] {
  const { name, values = [], optionalValues = [] } = field;
  const added = widening[name as ExtensibleField] ?? [];
  const unknown = added.filter((value) => !values.includes(value) && !optionalValues.includes(value));
  violations.push(
    ...unknown.map(
      (value) => `${name}: ${quote(value)} is none of ${[...values, ...optionalValues].join(', ')}`,
    ),
  );
  return [...new Set([...values, ...added])];
}
