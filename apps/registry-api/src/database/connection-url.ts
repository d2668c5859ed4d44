/*
 * Connection URIs as libpq reads them (PostgreSQL documentation, sections 32.1.1.2 and 32.1.2). The driver's own reader
 * knows one host only, and gives `sslmode` other meanings.
 */
import { userInfo } from 'node:os';

const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;

const SESSION_ATTRIBUTES = [
  'any',
  'read-write',
  'read-only',
  'primary',
  'standby',
  'prefer-standby',
] as const;

export type SslMode = (typeof SSL_MODES)[number];

/** Which servers are wanted (`target_session_attrs`). */
export type SessionAttributes = (typeof SESSION_ATTRIBUTES)[number];

export interface ServerAddress {
  /** A name, an IP address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
}

/** The settings in a connection URI. */
export interface ConnectionSettings {
  /** To be tried in this order; at least one. */
  readonly servers: readonly ServerAddress[];
  readonly user: string;
  readonly password: string | undefined;
  readonly database: string;
  readonly applicationName: string | undefined;
  /** For each server; undefined: not given. */
  readonly connectTimeoutMs: number | undefined;
  /** Command-line options for the server, such as `-c search_path=registry`. */
  readonly options: string | undefined;
  readonly keepAlive: boolean;
  readonly sessionAttributes: SessionAttributes;
  /** Whether servers are tried in random order (`load_balance_hosts=random`). */
  readonly isBalanced: boolean;
  readonly tls: TlsSettings;
}

/** Paths of files, which are read for each connection, so that renewed certificates take effect. */
export interface TlsSettings {
  readonly mode: SslMode;
  /** File of the certificates to trust; `system` and undefined: those that Node trusts. */
  readonly rootCertificate: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
  readonly passphrase: string | undefined;
  /** Whether a login must prove which certificate it sees (`channel_binding=require`; RFC 5929 section 4). */
  readonly isChannelBound: boolean;
}

/** Names the part of the URI that cannot be read; never shows a password. */
export class ConnectionUrlError extends Error {
  override readonly name = 'ConnectionUrlError';
}

const DEFAULT_PORT = 5432;

/** Parameters that are read. */
const KNOWN = new Set([
  ...['host', 'port', 'dbname', 'user', 'password'],
  ...['application_name', 'fallback_application_name', 'connect_timeout', 'options', 'keepalives'],
  ...['target_session_attrs', 'load_balance_hosts'],
  ...['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslpassword', 'ssl', 'channel_binding'],
]);

/** Parameters that providers write, or that tune the network; with these values they require nothing unsupported. */
const WITHOUT_EFFECT: Readonly<Record<string, RegExp>> = {
  client_encoding: /^(utf-?8|auto)$/i,
  gssencmode: /^(disable|prefer)$/,
  keepalives_count: /^\d+$/,
  keepalives_idle: /^\d+$/,
  keepalives_interval: /^\d+$/,
  sslcompression: /^0$/,
  sslnegotiation: /^postgres$/,
  sslsni: /^[01]$/,
  tcp_user_timeout: /^\d+$/,
};

/** @throws {ConnectionUrlError} */
export function parseConnectionUrl(url: string): ConnectionSettings {
  const parts = partsOf(url);
  try {
    return settingsOf(parts);
  } catch (error) {
    // An "@" after "?" may be the end of a password that contains "?": none of it must be shown.
    if (!(error instanceof ConnectionUrlError) || !parts.query.includes('@')) throw error;
    throw new ConnectionUrlError(`the user or password contains "?", or another part is invalid; ${ENCODE}`);
  }
}

function settingsOf({ userInfo: credentials, hosts, database, query }: Parts): ConnectionSettings {
  const parameters = parametersOf(query);
  const [user, password] = credentials === undefined ? [] : splitOnce(credentials, ':');
  const given = (name: string) => parameters.get(name) || undefined;
  const userName = given('user') ?? (decode(user ?? '', 'user') || processUser());
  return {
    servers: serversOf(hosts, given('host'), given('port')),
    user: userName,
    password: given('password') ?? (password === undefined ? undefined : decode(password, 'password')),
    database: given('dbname') ?? (decode(database, 'database name') || userName),
    applicationName: given('application_name') ?? given('fallback_application_name'),
    connectTimeoutMs: timeoutOf(given('connect_timeout')),
    options: given('options'),
    keepAlive: oneOf('keepalives', ['1', '0'], given('keepalives')) !== '0',
    sessionAttributes:
      oneOf('target_session_attrs', SESSION_ATTRIBUTES, given('target_session_attrs')) ?? 'any',
    isBalanced: oneOf('load_balance_hosts', ['disable', 'random'], given('load_balance_hosts')) === 'random',
    tls: tlsOf(given),
  };
}

/** As in libpq, the default. */
function processUser(): string {
  try {
    return userInfo().username;
  } catch {
    // As in a container that runs under a user id that /etc/passwd lacks.
    throw new ConnectionUrlError('names no user, and the user of this process has no name');
  }
}

interface Parts {
  readonly userInfo: string | undefined;
  readonly hosts: string;
  readonly database: string;
  readonly query: string;
}

const ENCODE = 'write / as %2F, ? as %3F and @ as %40';

function partsOf(url: string): Parts {
  const scheme = /^postgres(ql)?:\/\//.exec(url);
  if (!scheme) throw new ConnectionUrlError('must begin with postgresql:// or postgres://');
  const [beforeQuery, query = ''] = splitOnce(url.slice(scheme[0].length), '?');
  const [authority, database = ''] = splitOnce(beforeQuery, '/');
  const at = authority.lastIndexOf('@');
  if (database.includes('@')) {
    throw new ConnectionUrlError(`the user or password contains "/", or the database name "@"; ${ENCODE}`);
  }
  return {
    userInfo: at < 0 ? undefined : authority.slice(0, at),
    hosts: authority.slice(at + 1),
    database,
    query,
  };
}

function parametersOf(query: string): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const parameter of query === '' ? [] : query.split('&')) {
    const [encodedName, value] = splitOnce(parameter, '=');
    const name = decode(encodedName, 'parameter');
    if (value === undefined) throw new ConnectionUrlError(`parameter "${name}" has no value`);
    const decoded = decode(value, `parameter "${name}"`);
    if (KNOWN.has(name)) parameters.set(name, decoded);
    else checkWithoutEffect(name, decoded);
  }
  return parameters;
}

function checkWithoutEffect(name: string, value: string): void {
  const accepted = Object.hasOwn(WITHOUT_EFFECT, name) ? WITHOUT_EFFECT[name] : undefined;
  if (!accepted) throw new ConnectionUrlError(`parameter "${name}" is unknown or not supported`);
  if (!accepted.test(value)) throw new ConnectionUrlError(`${name} "${value}" is not supported`);
}

/** @param hosts `host:port,host:port` @param parameter `host`, which replaces them @param ports `port` */
function serversOf(hosts: string, parameter: string | undefined, ports: string | undefined): ServerAddress[] {
  const written = hosts.split(',').map(toHostAndPort);
  const names = parameter?.split(',') ?? written.map(({ host }) => host);
  const numbers = ports?.split(',') ?? written.map(({ port }) => port);
  if (numbers.length !== names.length && numbers.length !== 1) {
    throw new ConnectionUrlError(`there are ${names.length} hosts, but ${numbers.length} ports`);
  }
  return names.map((host, index) => ({
    host: host || 'localhost',
    port: portOf(numbers.length === 1 ? numbers[0] : numbers[index]),
  }));
}

/** IPv6 addresses stand in brackets. */
function toHostAndPort(text: string): { host: string; port: string } {
  const match = /^(?:\[([^\]]*)\]|([^:]*))(?::(.*))?$/.exec(text);
  if (!match || text.startsWith('[') !== (match[1] !== undefined)) {
    throw new ConnectionUrlError(`host "${text}" cannot be read; IPv6 addresses must be in brackets`);
  }
  return { host: decode(match[1] ?? match[2] ?? '', 'host'), port: match[3] ?? '' };
}

function portOf(text: string | undefined): number {
  if (!text) return DEFAULT_PORT;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535) {
    // Not shown: it may be the beginning of a password.
    throw new ConnectionUrlError(`a port is not a number from 1 to 65535; in a password, ${ENCODE}`);
  }
  return port;
}

/** Seconds; 0 or less: without a limit, as when not given. 1 counts as 2, as in libpq. */
function timeoutOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^-?\d{1,6}$/.test(text)) {
    throw new ConnectionUrlError(`connect_timeout "${text}" is not a whole number of seconds`);
  }
  const seconds = Number(text);
  return seconds <= 0 ? undefined : 1_000 * Math.max(seconds, 2);
}

function tlsOf(given: (name: string) => string | undefined): TlsSettings {
  // From JDBC drivers; libpq accepts it, too.
  const isRequired = oneOf('ssl', ['true'], given('ssl')) !== undefined;
  const rootCertificate = given('sslrootcert');
  const mode =
    oneOf('sslmode', SSL_MODES, given('sslmode')) ?? (isRequired ? 'require' : defaultMode(rootCertificate));
  if (rootCertificate === 'system' && mode !== 'verify-full') {
    throw new ConnectionUrlError(`sslmode "${mode}" is too weak for sslrootcert=system; use verify-full`);
  }
  const [certificate, key] = [given('sslcert'), given('sslkey')];
  if ((certificate === undefined) !== (key === undefined)) {
    throw new ConnectionUrlError('sslcert and sslkey must be given together');
  }
  // With a file of certificates to trust, `require` verifies the chain.
  const isVerified = mode === 'require' && rootCertificate !== undefined;
  return {
    mode: isVerified ? 'verify-ca' : mode,
    rootCertificate: rootCertificate === 'system' ? undefined : rootCertificate,
    certificate,
    key,
    passphrase: given('sslpassword'),
    isChannelBound:
      oneOf('channel_binding', ['disable', 'prefer', 'require'], given('channel_binding')) === 'require',
  };
}

function defaultMode(rootCertificate: string | undefined): SslMode {
  return rootCertificate === 'system' ? 'verify-full' : 'prefer';
}

function oneOf<T extends string>(
  name: string,
  values: readonly T[],
  given: string | undefined,
): T | undefined {
  if (given === undefined) return undefined;
  const found = values.find((value) => value === given);
  if (found === undefined) {
    throw new ConnectionUrlError(`${name} "${given}" is not one of ${values.join(', ')}`);
  }
  return found;
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** @param part for the message, which does not show the text: it may be a password */
function decode(text: string, part: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(text);
  } catch {
    throw new ConnectionUrlError(
      `the ${part} has a "%" that is not followed by two hexadecimal digits; write it as %25`,
    );
  }
  if (decoded.includes('\0')) throw new ConnectionUrlError(`the ${part} contains %00`);
  return decoded;
}
