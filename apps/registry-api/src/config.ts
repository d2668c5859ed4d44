import { readFileSync } from 'node:fs';
import { type Capabilities, parseSessionExpiration, extendCapabilities } from '@svc/client-metadata';
import { type Environment, readConfig, wholeNumber } from '@svc/foundation/config';
import { serviceEnvironment, words } from '@svc/service-kit/environment';
import { z } from 'zod';
import { type GivenSettings, givenSettings } from './settings/given-settings.js';
import {
  areSecrets,
  attempt,
  isConnectionUrl,
  isOrigin,
  isPrimaryUrl,
  isExtension,
  responseTypes,
  extension,
} from './config-values.js';
import { AllowedZones } from './audit/allowed-zones.js';
import { LookupFile } from './audit/lookup-file.js';
import { DestinationPolicy } from '@svc/service-kit/destinations';
import { lifetime, oidcEnvironment } from './oidc/oidc-settings.js';
import { MIN_PEPPER_LENGTH } from './secrets/secret-hasher.js';
import { uiEnvironment } from './ui/ui-settings.js';

/** The syntax of a bearer token (RFC 6750 section 2.1). */
const TOKEN_VALUE = /^[A-Za-z0-9\-._~+/]{32,256}$/;

/** A cookie token (RFC 6265 section 4.1.1), to which a suffix is appended. */
const COOKIE_PREFIX = /^[A-Za-z0-9!#$%&'*+\-.^_`|~]{1,64}$/;

const variables = z.object({
  ...serviceEnvironment,
  ...oidcEnvironment,
  ...uiEnvironment,
  NODE_ENV: z.string().optional(),
  PORT: wholeNumber(0, 65_535).default(8081),
  DATA_DIR: z.string().default('.svc/registry'),
  DATABASE_URL: z.string().superRefine(isPrimaryUrl).optional(),
  /** For the one connection that needs a session: a pooler in transaction mode gives none. */
  DATABASE_LISTEN_URL: z.string().superRefine(isPrimaryUrl).optional(),
  /** Standbys, from which requests may read. */
  DATABASE_READ_URL: z.string().superRefine(isConnectionUrl).optional(),
  /** The maximum age of data that decides about tokens and secrets while the primary is away; 0: none is accepted then. */
  STALE_CREDENTIALS_SECONDS: wholeNumber(0, 86_400).default(0),
  DATABASE_PASSWORD: z.string().optional(),
  /** Paths are kept, too: the files are read again for each new connection. */
  DATABASE_URL_FILE: z.string().optional(),
  DATABASE_LISTEN_URL_FILE: z.string().optional(),
  DATABASE_READ_URL_FILE: z.string().optional(),
  DATABASE_PASSWORD_FILE: z.string().optional(),
  DATABASE_POOL_SIZE: wholeNumber(1, 500).default(16),
  /** How long a start waits for a PostgreSQL that does not respond yet. */
  DATABASE_WAIT_SECONDS: wholeNumber(0, 3_600).default(0),
  EMBEDDED_DATABASE: z.enum(['allow', 'development']).default('development'),
  /** How long changes are kept, in the feed and in the history. */
  CHANGE_RETENTION_DAYS: wholeNumber(1, 36_500).default(400),
  /** How long deleted Clients can be restored; 0: not at all. */
  DELETED_CLIENT_RETENTION_DAYS: wholeNumber(0, 36_500).default(30),
  /** How long jobs are kept, with their results. */
  JOB_RETENTION_DAYS: wholeNumber(1, 36_500).default(30),
  /** How long security events are kept. */
  AUDIT_RETENTION_DAYS: wholeNumber(1, 36_500).default(400),
  /** `on`: each security event is also a line of the log. */
  AUDIT_LOG: z.enum(['on', 'off']).default('off'),
  /** `off`: how Clients are used is not recorded. */
  USAGE: z.enum(['on', 'off']).default('on'),
  /** How long counts of uses are kept. */
  USAGE_RETENTION_DAYS: wholeNumber(1, 36_500).default(400),
  BOOTSTRAP_TOKEN: z
    .string()
    .regex(
      TOKEN_VALUE,
      'must be 32 to 256 of the characters A-Z a-z 0-9 - . _ ~ + /; create one with: openssl rand -hex 32',
    )
    .optional(),
  SECRET_PEPPER: words
    .refine(
      areSecrets,
      `must be one or more peppers of at least ${MIN_PEPPER_LENGTH} characters each, separated by spaces; create one with: openssl rand -hex 32`,
    )
    .optional(),
  /** The longest lifetime of a client_secret; unlimited by default. */
  SECRET_MAX_LIFETIME: lifetime.optional(),
  /** How long before a secret expires the change feed announces it; 0: never. */
  SECRET_NOTICE_DAYS: wholeNumber(0, 3_650).default(30),
  /** `allowed`: imports may contain client secrets and hashes of other products. */
  SECRET_IMPORT: z.enum(['off', 'allowed']).default('off'),
  /** How long a hash of another product is accepted, unless a check replaces it before. */
  SECRET_IMPORT_MAX_AGE: lifetime.default(90 * 24 * 3600),
  COOKIE_PREFIX: z
    .string()
    .regex(COOKIE_PREFIX, 'must be 1 to 64 characters allowed in a cookie name')
    .default('SvcClient'),
  DEFAULT_COOKIE_DOMAIN: z.string().superRefine(isExtension('default_cookie_domain')).optional(),
  APPLICATION_TYPES: extension('application_type'),
  RESPONSE_TYPES: responseTypes,
  GRANT_TYPES: extension('grant_types'),
  TOKEN_ENDPOINT_AUTH_METHODS: extension('token_endpoint_auth_method'),
  /** Optional fields to support. */
  CLIENT_METADATA: extension('optional_fields'),
  /** Languages in which names, texts and addresses may be registered. */
  CLIENT_LANGUAGES: extension('languages'),
  HTTP_REDIRECT_HOSTS: extension('http_redirect_hosts'),
  /** `required`: a change or deletion without If-Match is refused (RFC 6585 section 3). */
  IF_MATCH: z.enum(['optional', 'required']).default('optional'),
  /** `token`: developers may register Clients with an initial access token (RFC 7591). `open`: also without, within limits. */
  REGISTRATION: z.enum(['off', 'token', 'open']).default('off'),
  /** Open registrations per day (UTC) from one address (IPv6: one /64). */
  REGISTRATION_OPEN_PER_ADDRESS: wholeNumber(1, 1_000).default(5),
  /** Open registrations per day from all addresses. */
  REGISTRATION_OPEN_PER_DAY: wholeNumber(1, 10_000).default(100),
  /** Clients that may wait for an administrator at a time. */
  REGISTRATION_OPEN_PENDING: wholeNumber(1, 10_000).default(100),
  /** Days after which a Client that no administrator has enabled is deleted. */
  REGISTRATION_PENDING_DAYS: wholeNumber(1, 365).default(7),
  /** Registrations per day (UTC) with the access tokens of one user of the issuer. */
  REGISTRATION_PER_USER: wholeNumber(1, 10_000).default(100),
  /** Origins whose pages may use /register (CORS), besides CORS_ORIGINS. */
  REGISTRATION_CORS_ORIGINS: words
    .refine(
      (origins) => origins.every((origin) => origin === '*' || isOrigin(origin)),
      'must be origins such as https://app.example.com, or * for any',
    )
    .default([]),
  /** Days without use after which Clients of developers are disabled and, after as many again, deleted. */
  REGISTRATION_UNUSED_DAYS: wholeNumber(7, 3_650).optional(),
  /** How long registration access tokens are valid, each use issuing a new one; unlimited by default. */
  REGISTRATION_TOKEN_LIFETIME: lifetime.optional(),
  /** The longest session_expiration that developers may set. */
  REGISTRATION_MAX_SESSION: z
    .string()
    .default('30 d')
    .transform((text, context) => {
      const seconds = parseSessionExpiration(text);
      if (typeof seconds === 'number') return seconds;
      context.addIssue({ code: 'custom', message: seconds.message });
      return z.NEVER;
    }),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .refine((url) => !/[?#]/.test(url), 'must have neither a query nor a fragment')
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  /** Origins whose pages may use the API (CORS). */
  CORS_ORIGINS: words
    .refine((origins) => origins.every(isOrigin), 'must be origins such as https://admin.example.com')
    .default([]),
  COOKIE_WEBHOOK_ALLOW: words
    .transform((entries, context) =>
      attempt(() => new DestinationPolicy(entries, 'COOKIE_WEBHOOK_ALLOW'), context),
    )
    .default(() => new DestinationPolicy([], 'COOKIE_WEBHOOK_ALLOW')),
  JWKS_URI_ALLOW: words
    .transform((entries, context) => attempt(() => new DestinationPolicy(entries, 'JWKS_URI_ALLOW'), context))
    .default(() => new DestinationPolicy([], 'JWKS_URI_ALLOW')),
  AUDIT_IP_LOOKUP: z
    .string()
    .transform((path, context) => attempt(() => new LookupFile(path), context))
    .optional(),
  /** The zones from which the admin API may be used; any by default. */
  ADMIN_ALLOWED_ZONES: z
    .string()
    .transform((list, context) => attempt(() => new AllowedZones(list), context))
    .optional(),
});

/** Whether the record of uses goes back far enough to tell which Clients are unused. */
function recordsUnusedDays({
  USAGE,
  USAGE_RETENTION_DAYS,
  REGISTRATION_UNUSED_DAYS: days,
}: Variables): boolean {
  return days === undefined || (USAGE === 'on' && days < USAGE_RETENTION_DAYS);
}

type Variables = z.infer<typeof variables>;

/** Checked even if single variables are invalid, so that all violations are listed together. */
const consistent = variables
  .refine((config) => config.DATABASE_LISTEN_URL === undefined || config.DATABASE_URL !== undefined, {
    path: ['DATABASE_LISTEN_URL'],
    when: () => true,
    error: 'requires DATABASE_URL',
  })
  .refine((config) => config.DATABASE_READ_URL === undefined || config.DATABASE_URL !== undefined, {
    path: ['DATABASE_READ_URL'],
    when: () => true,
    error: 'requires DATABASE_URL',
  })
  .refine(
    ({ TOKEN_ENDPOINT_AUTH_METHODS: methods, CLIENT_METADATA: fields }) =>
      !methods.includes('private_key_jwt') || fields.includes('jwks') || fields.includes('jwks_uri'),
    {
      path: ['TOKEN_ENDPOINT_AUTH_METHODS'],
      error: 'has private_key_jwt, which needs client keys: add jwks or jwks_uri to CLIENT_METADATA',
    },
  )
  .refine((config) => (config.OIDC_ISSUER === undefined) === (config.OIDC_AUDIENCE === undefined), {
    path: ['OIDC_ISSUER'],
    when: () => true,
    error: 'and OIDC_AUDIENCE must be set together',
  })
  .refine((config) => config.UI_OIDC_CLIENT_ID === undefined || config.OIDC_ISSUER !== undefined, {
    path: ['UI_OIDC_CLIENT_ID'],
    when: () => true,
    error: 'requires OIDC_ISSUER',
  })
  .refine(recordsUnusedDays, {
    path: ['REGISTRATION_UNUSED_DAYS'],
    when: () => true,
    error:
      'requires USAGE=on and a longer USAGE_RETENTION_DAYS: only recorded days show that a client is unused',
  })
  .refine(
    (config) => config.AUDIT_IP_LOOKUP !== undefined || config.ADMIN_ALLOWED_ZONES?.needLookup !== true,
    {
      path: ['ADMIN_ALLOWED_ZONES'],
      when: () => true,
      error: 'names zones, which require a lookup file: set AUDIT_IP_LOOKUP',
    },
  );

interface CommandNeeds {
  /** Whether it hashes or verifies anything: production then requires a pepper. */
  readonly needsPepper: boolean;
}

const schemaFor = (command: CommandNeeds) =>
  consistent.refine((config) => missingInProduction(config, command).length === 0, {
    path: ['NODE_ENV'],
    when: () => true,
    error: ({ input }) =>
      `is production, which requires ${missingInProduction(input as Variables, command).join(' and ')}`,
  });

/** Everything the registry reads from its environment. */
export type Config = Readonly<Variables> & { readonly given: GivenSettings };

/** @throws {ConfigError} listing every violation */
export function readRegistryConfig(
  environment: Environment,
  command: CommandNeeds = { needsPepper: true },
): Config {
  const config = readConfig(schemaFor(command), environment, (path) => readFileSync(path, 'utf8'));
  return { ...config, given: givenSettings(Object.keys(variables.shape), environment, config) };
}

/** The supported values: those of the specification and those that configuration adds. */
export function capabilitiesOf(config: Config): Capabilities {
  return extendCapabilities({
    application_type: config.APPLICATION_TYPES,
    response_types: config.RESPONSE_TYPES,
    grant_types: config.GRANT_TYPES,
    token_endpoint_auth_method: config.TOKEN_ENDPOINT_AUTH_METHODS,
    optional_fields: config.CLIENT_METADATA,
    languages: config.CLIENT_LANGUAGES,
    http_redirect_hosts: config.HTTP_REDIRECT_HOSTS,
    default_cookie_domain: config.DEFAULT_COOKIE_DOMAIN,
    developer_session_seconds: config.REGISTRATION_MAX_SESSION,
  });
}

function missingInProduction(config: Variables, { needsPepper }: CommandNeeds): string[] {
  if (config.NODE_ENV !== 'production') return [];
  const hasDatabase = config.DATABASE_URL !== undefined || config.EMBEDDED_DATABASE === 'allow';
  return [
    ...(hasDatabase ? [] : ['DATABASE_URL (or EMBEDDED_DATABASE=allow, on one machine)']),
    ...(needsPepper && config.SECRET_PEPPER === undefined ? ['SECRET_PEPPER'] : []),
  ];
}
