import type { ClientField } from './client-field.js';
import { CLIENT_FIELDS, type CLIENT_FIELD_ROWS } from './client-fields.js';
import { inLanguage, isLanguageTag, splitName } from './localized-fields.js';
import { quote } from '../violations/violation.js';
import { isDomain, isHost } from '../uri/host.js';

/** The fields whose allowed values configuration can extend. */
export type ExtensibleField = Extract<
  (typeof CLIENT_FIELD_ROWS)[number],
  { optionalValues: unknown }
>['name'];

/** What the running server supports: the specification's values and those added by configuration. */
export type Capabilities = { readonly [Name in ExtensibleField]: readonly string[] } & {
  /** The optional fields that are supported. */
  readonly optional_fields: readonly string[];
  /** The languages in which names, texts and addresses may be registered, as language tags. */
  readonly languages: readonly string[];
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
  const violations = [...fieldViolations(extension), ...languageViolations(extension)];
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
    optional_fields: [...new Set(extension.optional_fields)],
    languages: [...new Set(extension.languages)],
    http_redirect_hosts: hosts,
    ...(domain !== undefined && { default_cookie_domain: domain }),
    ...(extension.developer_session_seconds !== undefined && {
      developer_session_seconds: extension.developer_session_seconds,
    }),
  };
}

const OPTIONAL_NAMES = CLIENT_FIELDS.filter((field) => field.optional).map(({ name }) => name);

const MAX_LANGUAGES = 50;

function fieldViolations({ optional_fields: names = [] }: CapabilityExtension): string[] {
  return names
    .filter((name) => !OPTIONAL_NAMES.includes(name))
    .map((name) => `optional_fields: ${quote(name)} is not one of ${OPTIONAL_NAMES.join(', ')}`);
}

function languageViolations({ languages = [] }: CapabilityExtension): string[] {
  if (languages.length > MAX_LANGUAGES) return [`languages: at most ${MAX_LANGUAGES} are supported`];
  return languages
    .filter((language) => !isLanguageTag(language))
    .map(
      (language) =>
        `languages: ${quote(language)} is not a language tag such as de, pt-BR or zh-Hant (RFC 5646)`,
    );
}

const EXTENSIBLE_FIELDS = CLIENT_FIELDS.filter((field) => field.optionalValues);

/** The specification's capabilities, without extensions. */
export const DEFAULT_CAPABILITIES: Capabilities = extendCapabilities({});

/** The rows of the table that the running server supports, each followed by its languages. */
export function supportedFields(capabilities: Capabilities): readonly ClientField[] {
  return CLIENT_FIELDS.filter(({ name }) => isSupported(name, capabilities)).flatMap((field) => [
    field,
    ...(field.localized ? capabilities.languages.map((language) => inLanguage(field, language)) : []),
  ]);
}

/** Whether the running server supports a field of the table, by its name, which may include a language. */
export function isSupported(name: string, capabilities: Capabilities): boolean {
  const { base, language } = splitName(name);
  const isOn = !OPTIONAL_NAMES.includes(base) || capabilities.optional_fields.includes(base);
  return isOn && (language === undefined || capabilities.languages.includes(language));
}

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
      (value) => `${name}: ${quote(value)} is not one of ${[...values, ...optionalValues].join(', ')}`,
    ),
  );
  return [...new Set([...values, ...added])];
}
