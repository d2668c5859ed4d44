import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '@svc/foundation/config';
import { capabilitiesOf, readRegistryConfig } from './config.js';

const violationsOf = (
  environment: Record<string, string>,
  command?: { readonly needsPepper: boolean },
): readonly string[] => {
  try {
    readRegistryConfig(environment, command);
  } catch (error) {
    if (error instanceof ConfigError) return error.violations;
    throw error;
  }
  return [];
};

test('without settings it listens only on this machine', () => {
  expect(readRegistryConfig({})).toMatchObject({
    ADDRESS: '127.0.0.1',
    PORT: 8081,
    DATA_DIR: '.svc/registry',
    COOKIE_PREFIX: 'SvcClient',
    TRUSTED_PROXIES: [],
  });
});

test('production requires a database and a pepper', () => {
  expect(violationsOf({ NODE_ENV: 'production' })).toEqual([
    'NODE_ENV: is production, which requires DATABASE_URL (or EMBEDDED_DATABASE=allow, on one machine) and SECRET_PEPPER',
  ]);
  const pepper = { NODE_ENV: 'production', SECRET_PEPPER: 'p'.repeat(32) };
  expect(violationsOf({ ...pepper, EMBEDDED_DATABASE: 'allow' })).toEqual([]);
  expect(violationsOf({ ...pepper, DATABASE_URL: 'postgres://db/registry' })).toEqual([]);
});

test('a command that hashes nothing requires only a database', () => {
  const database = { NODE_ENV: 'production', DATABASE_URL: 'postgres://db/registry' };
  expect(violationsOf(database)).toEqual(['NODE_ENV: is production, which requires SECRET_PEPPER']);
  expect(violationsOf(database, { needsPepper: false })).toEqual([]);
  expect(violationsOf({ NODE_ENV: 'production' }, { needsPepper: false })).toEqual([
    'NODE_ENV: is production, which requires DATABASE_URL (or EMBEDDED_DATABASE=allow, on one machine)',
  ]);
});

test('DATABASE_LISTEN_URL must lead to a primary, and requires DATABASE_URL', () => {
  const listen = 'postgres://db-1/registry';
  expect(violationsOf({ DATABASE_LISTEN_URL: listen })).toEqual([
    'DATABASE_LISTEN_URL: requires DATABASE_URL',
  ]);
  const database = { DATABASE_URL: 'postgres://pooler/registry' };
  expect(violationsOf({ ...database, DATABASE_LISTEN_URL: listen })).toEqual([]);
  expect(
    violationsOf({ ...database, DATABASE_LISTEN_URL: `${listen}?target_session_attrs=standby` }),
  ).toEqual(['DATABASE_LISTEN_URL: target_session_attrs=standby excludes servers that take writes']);
});

test('unused Clients can be recognized only within the recorded days', () => {
  const days = { REGISTRATION_UNUSED_DAYS: '90' };
  const violation =
    'REGISTRATION_UNUSED_DAYS: requires USAGE=on and a longer USAGE_RETENTION_DAYS: only recorded days show that a client is unused';
  expect(violationsOf(days)).toEqual([]);
  expect(violationsOf({ ...days, USAGE: 'off' })).toEqual([violation]);
  expect(violationsOf({ ...days, USAGE_RETENTION_DAYS: '90' })).toEqual([violation]);
  expect(violationsOf({ ...days, USAGE_RETENTION_DAYS: '91' })).toEqual([]);
});

test.each(['*', 'https://app.example.com http://localhost:3000'])(
  'pages of %s may use /register',
  (REGISTRATION_CORS_ORIGINS) => {
    expect(violationsOf({ REGISTRATION_CORS_ORIGINS })).toEqual([]);
    expect(violationsOf({ REGISTRATION_CORS_ORIGINS: `${REGISTRATION_CORS_ORIGINS}/` })).toEqual([
      'REGISTRATION_CORS_ORIGINS: must be origins such as https://app.example.com, or * for any',
    ]);
  },
);

test('private_key_jwt requires a field for keys; unknown fields and languages are named', () => {
  const methods = { TOKEN_ENDPOINT_AUTH_METHODS: 'private_key_jwt' };
  expect(violationsOf(methods)).toEqual([
    'TOKEN_ENDPOINT_AUTH_METHODS: has private_key_jwt, which needs client keys: add jwks or jwks_uri to CLIENT_METADATA',
  ]);
  expect(violationsOf({ ...methods, CLIENT_METADATA: 'jwks_uri' })).toEqual([]);
  const violations = violationsOf({
    ...methods,
    CLIENT_METADATA: 'keys',
    CLIENT_LANGUAGES: 'de_DE',
    JWKS_URI_ALLOW: '*',
  });
  expect(violations).toEqual([
    expect.stringMatching(/^CLIENT_METADATA: optional_fields: 'keys' is not one of logo_uri, /),
    expect.stringMatching(/^CLIENT_LANGUAGES: languages: 'de_DE' is not a language tag such as de/),
    expect.stringMatching(/^JWKS_URI_ALLOW: '\*' is not an address/),
  ]);
});

test('all violations are listed together, without secrets', () => {
  const violations = violationsOf({
    NODE_ENV: 'production',
    PORT: '70000',
    DATABASE_URL: 'mysql://root:hunter2@db',
    BOOTSTRAP_TOKEN: 'too short',
    SECRET_PEPPER: 'short',
    COOKIE_PREFIX: 'a b',
    GRANT_TYPES: 'telepathy',
    RESPONSE_TYPES: 'token code',
    DEFAULT_COOKIE_DOMAIN: 'not a domain',
    AUDIT_IP_LOOKUP: '/missing.mmdb',
  });
  expect(violations.map((violation) => violation.split(':')[0])).toEqual([
    'PORT',
    'DATABASE_URL',
    'BOOTSTRAP_TOKEN',
    'SECRET_PEPPER',
    'COOKIE_PREFIX',
    'DEFAULT_COOKIE_DOMAIN',
    'GRANT_TYPES',
    'AUDIT_IP_LOOKUP',
  ]);
  expect(violations.join()).not.toMatch(/hunter2|too short/);
  const remedied = violations.filter((violation) =>
    violation.includes('create one with: openssl rand -hex 32'),
  );
  expect(remedied.map((violation) => violation.split(':')[0])).toEqual(['BOOTSTRAP_TOKEN', 'SECRET_PEPPER']);
  expect(violations).toContain('AUDIT_IP_LOOKUP: cannot be read (ENOENT)');
});

test.each([
  'SECRET_MAX_LIFETIME',
  'SECRET_IMPORT_MAX_AGE',
  'OIDC_TOKEN_MAX_LIFETIME',
  'REGISTRATION_TOKEN_LIFETIME',
])('%s needs a unit', (name) => {
  expect(violationsOf({ [name]: '365' })).toEqual([
    `${name}: must be a number and a unit, such as 90d, up to 10y`,
  ]);
  expect(violationsOf({ [name]: '365 d' })).toEqual([]);
  expect(violationsOf({ [name]: '365days' })).toEqual([]);
});

test('a number is digits within its range; blanks around it do not count, and blanks alone are no value', () => {
  const days = (DELETED_CLIENT_RETENTION_DAYS: string) =>
    readRegistryConfig({ DELETED_CLIENT_RETENTION_DAYS }).DELETED_CLIENT_RETENTION_DAYS;
  expect(['', ' ', '\r', '0', '7\r', ' 007 '].map(days)).toEqual([30, 30, 30, 0, 7, 7]);
  for (const text of ['30 d', '1e3', '0x10', '1.5', '-1', '36501', 'Infinity', '9'.repeat(400)]) {
    expect(violationsOf({ DELETED_CLIENT_RETENTION_DAYS: text })).toEqual([
      'DELETED_CLIENT_RETENTION_DAYS: must be a whole number from 0 to 36500',
    ]);
  }
});

test('ADDRESS is an IP address or a host name, without a port', () => {
  for (const ADDRESS of ['0.0.0.0:8081', '[::1]', '256.0.0.1', 'a b']) {
    expect(violationsOf({ ADDRESS })).toEqual([
      'ADDRESS: must be an IP address or a host name, without brackets or a port',
    ]);
  }
  for (const ADDRESS of ['0.0.0.0', '::', 'fe80::1%eth0', 'localhost', 'db', 'node-1.example']) {
    expect(violationsOf({ ADDRESS })).toEqual([]);
  }
});

test('TRUSTED_PROXIES are addresses or networks', () => {
  for (const proxy of ['nginx', '10.0.0.0/33', '10.0.0.1:80', '::/129', '0.0.0.0/0']) {
    expect(violationsOf({ TRUSTED_PROXIES: `127.0.0.1, ${proxy}` })).toEqual([
      'TRUSTED_PROXIES: must be IP addresses or CIDR blocks such as 10.0.0.0/8, but not /0',
    ]);
  }
  expect(violationsOf({ TRUSTED_PROXIES: '10.0.0.0/8 ::1, 2001:db8::/32 fe80::1%eth0' })).toEqual([]);
});

test('a file that is not a lookup file is rejected', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'zones-')), 'broken.mmdb');
  writeFileSync(path, 'not a lookup');
  expect(violationsOf({ AUDIT_IP_LOOKUP: path })).toEqual([expect.stringMatching(/^AUDIT_IP_LOOKUP: /)]);
});

test('a folder is not a lookup file', () => {
  expect(violationsOf({ AUDIT_IP_LOOKUP: tmpdir() })).toEqual([
    'AUDIT_IP_LOOKUP: cannot be read (it is not a file)',
  ]);
});

test('zones require a lookup file; addresses do not', () => {
  expect(violationsOf({ ADMIN_ALLOWED_ZONES: 'office,127.0.0.1' })).toEqual([
    'ADMIN_ALLOWED_ZONES: names zones, which require a lookup file: set AUDIT_IP_LOOKUP',
  ]);
  expect(violationsOf({ ADMIN_ALLOWED_ZONES: '127.0.0.1, 10.0.0.0/8' })).toEqual([]);
  expect(violationsOf({ ADMIN_ALLOWED_ZONES: '10.0.0.0/33,=', PORT: 'x' })).toEqual([
    expect.stringMatching(/^PORT: /),
    "ADMIN_ALLOWED_ZONES: '10.0.0.0/33', '=': not an address, a CIDR block, column=value or the name of a zone",
  ]);
});

test('the server supports the specification and its configured extensions', () => {
  const config = readRegistryConfig({
    APPLICATION_TYPES: 'native',
    RESPONSE_TYPES: 'token id_token, code token',
    GRANT_TYPES: 'refresh_token, client_credentials',
    TOKEN_ENDPOINT_AUTH_METHODS: 'client_secret_basic',
    DEFAULT_COOKIE_DOMAIN: 'example.com',
  });
  expect(capabilitiesOf(config)).toMatchObject({
    application_type: ['web', 'native'],
    response_types: ['code', 'id_token token', 'code token'],
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
    token_endpoint_auth_method: ['none', 'client_secret_basic'],
    default_cookie_domain: 'example.com',
  });
});

test('previous peppers follow the current one', () => {
  const [present, former] = ['a'.repeat(32), 'b'.repeat(32)];
  expect(readRegistryConfig({ SECRET_PEPPER: `${present} ${former}` }).SECRET_PEPPER).toEqual([
    present,
    former,
  ]);
});
