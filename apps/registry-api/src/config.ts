import { readFileSync } from 'node:fs';
import {
  type Capabilities,
  parseSessionExpiration,
  type CapabilityExtension,
  extendCapabilities,
} from '@svc/client-metadata';
import { type Environment, readConfig } from '@svc/foundation/config';
import { serviceEnvironment, words } from '@svc/service-kit/environment';
import { z } from 'zod';
import { AllowedZones } from './audit/allowed-zones.js';
import { LookupFile } from './audit/lookup-file.js';
import { DestinationPolicy } from './cookie-webhook/destination-policy.js';
import { oidcEnvironment } from './oidc/oidc-settings.js';
import { MIN_PEPPER_LENGTH } from './secrets/pepper-length.js';
import { uiEnvironment } from './ui/ui-settings.js';

/** What a bearer token is made of (RFC 6750 section 2.1). */
const TOKEN_VALUE = /^[A-Za-z0-9\-._~+/]{32,256}$/;

/** A name that is a cookie token (RFC 6265 section 4.1.1) with whatever is appended to it. */
const COOKIE_PREFIX = /^[A-Za-z0-9!#$%&'*+\-.^_`|~]{1,64}$/;

/** Values that configuration adds to what the specification allows; the field table knows which it can judge. */
const widening = (name: keyof CapabilityExtension) => words.default([]).superRefine(isWidening(name));

/** Apart by commas, since a response type may be made of words; their order does not matter. */
const responseTypes = z
  .string()
  .transform((text) => text.split(',').map((type) => type.trim().split(/\s+/).sort().join(' ')))
  .default([])
  .superRefine(isWidening('response_types'));

const variables = z.object({
  ...serviceEnvironment,
  ...oidcEnvironment,
  ...uiEnvironment,
  NODE_ENV: z.string().optional(),
  PORT: z.coerce.number().int().min(0).max(65_535).default(8081),
  DATA_DIR: z.string().default('.svc/registry'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(500).default(16),
  /** How long a start waits for a PostgreSQL that does not answer yet. */
  DATABASE_WAIT_SECONDS: z.coerce.number().int().min(0).max(3_600).default(0),
  EMBEDDED_DATABASE: z.enum(['allow', 'development']).default('development'),
  /** How long changes are kept, in the feed and in the history. */
  CHANGE_RETENTION_DAYS: z.coerce.number().int().min(1).max(36_500).default(400),
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
      `must be words of at least ${MIN_PEPPER_LENGTH} characters; create one with: openssl rand -hex 32, and put it before those in use`,
    )
    .optional(),
  COOKIE_PREFIX: z
    .string()
    .regex(COOKIE_PREFIX, 'must be 1 to 64 characters allowed in a cookie name')
    .default('SvcClient'),
  DEFAULT_COOKIE_DOMAIN: z.string().superRefine(isWidening('default_cookie_domain')).optional(),
  APPLICATION_TYPES: widening('application_type'),
  RESPONSE_TYPES: responseTypes,
  GRANT_TYPES: widening('grant_types'),
  TOKEN_ENDPOINT_AUTH_METHODS: widening('token_endpoint_auth_method'),
  HTTP_REDIRECT_HOSTS: widening('http_redirect_hosts'),
  /** `required`: a change or deletion without If-Match is refused (RFC 6585 section 3). */
  IF_MATCH: z.enum(['optional', 'required']).default('optional'),
  /** `token`: developers may register Clients with an initial access token (RFC 7591). */
  REGISTRATION: z.enum(['off', 'token']).default('off'),
  /** The longest session_expiration that developers may ask for. */
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
    .transform((entries, context) => attempt(() => new DestinationPolicy(entries), context))
    .default(() => new DestinationPolicy()),
  AUDIT_IP_LOOKUP: z
    .string()
    .transform((path, context) => attempt(() => new LookupFile(path), context))
    .optional(),
  /** From where the admin API may be used; from anywhere when not set. */
  ADMIN_ALLOWED_ZONES: z
    .string()
    .transform((list, context) => attempt(() => new AllowedZones(list), context))
    .optional(),
});

/** Checked even where single variables are invalid, so that all violations are listed together. */
const schema = variables
  .refine((config) => missingInProduction(config).length === 0, {
    path: ['NODE_ENV'],
    when: () => true,
    error: ({ input }) =>
      `is production, which requires ${missingInProduction(input as z.infer<typeof variables>).join(' and ')}`,
  })
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
  .refine(
    (config) => config.AUDIT_IP_LOOKUP !== undefined || config.ADMIN_ALLOWED_ZONES?.needLookup !== true,
    {
      path: ['ADMIN_ALLOWED_ZONES'],
      when: () => true,
      error: 'names zones, which require a lookup file: set AUDIT_IP_LOOKUP',
    },
  );

/** Everything the registry reads from its environment. */
export type Config = Readonly<z.infer<typeof schema>>;

/** @throws {ConfigError} listing every fault */
export function readRegistryConfig(
  environment: Environment,
  readFile: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): Config {
  return readConfig(schema, environment, readFile);
}

/** What this registry supports: the specification's values and those that configuration adds. */
export function capabilitiesOf(config: Config): Capabilities {
  return extendCapabilities({
    application_type: config.APPLICATION_TYPES,
    response_types: config.RESPONSE_TYPES,
    grant_types: config.GRANT_TYPES,
    token_endpoint_auth_method: config.TOKEN_ENDPOINT_AUTH_METHODS,
    http_redirect_hosts: config.HTTP_REDIRECT_HOSTS,
    default_cookie_domain: config.DEFAULT_COOKIE_DOMAIN,
    developer_session_seconds: config.REGISTRATION_MAX_SESSION,
  });
}

function missingInProduction(config: z.infer<typeof variables>): string[] {
  if (config.NODE_ENV !== 'production') return [];
  const hasDatabase = config.DATABASE_URL !== undefined || config.EMBEDDED_DATABASE === 'allow';
  return [
    ...(hasDatabase ? [] : ['DATABASE_URL (or EMBEDDED_DATABASE=allow, on one machine)']),
    ...(config.SECRET_PEPPER === undefined ? ['SECRET_PEPPER'] : []),
  ];
}

/** As browsers write one: scheme, host in lower case, and the port where it is not the default. */
function isOrigin(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

function areSecrets(values: readonly string[]): boolean {
  return values.length > 0 && values.every((value) => value.length >= MIN_PEPPER_LENGTH);
}

function isWidening(name: keyof CapabilityExtension) {
  return (value: unknown, context: z.RefinementCtx): void => {
    attempt(() => extendCapabilities({ [name]: value }), context);
  };
}

/** What `make` returns; a fault of the variable when it throws. */
function attempt<T>(make: () => T, context: z.RefinementCtx): T {
  try {
    return make();
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
    return z.NEVER;
  }
}
