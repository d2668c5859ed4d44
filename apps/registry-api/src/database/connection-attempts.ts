import { readFileSync } from 'node:fs';
import type { ConnectionOptions as TlsOptions } from 'node:tls';
import type { ClientConfig } from 'pg';
import {
  type ConnectionSettings,
  parseConnectionUrl,
  type ServerAddress,
  type SslMode,
  type TlsSettings,
} from './connection-url.js';

/** One way to connect: to this server, with TLS or without. */
export interface Attempt extends ServerAddress {
  readonly isEncrypted: boolean;
}

/** Where the connection URI comes from. Both functions may throw, such as for a file that is gone. */
export interface ConnectionSource {
  readonly readUrl: () => string;
  readonly readPassword?: () => string | undefined;
}

/** How often the connection URI is compared with the one that open connections were made with. */
const COMPARE_MS = 2_000;

/** What the modes of libpq try, in order (PostgreSQL documentation, table 32.1). */
const ENCRYPTIONS: Readonly<Record<SslMode, readonly boolean[]>> = {
  disable: [false],
  allow: [false, true],
  prefer: [true, false],
  require: [true],
  'verify-ca': [true],
  'verify-full': [true],
};

/**
 * Chooses how the next connection is made. What worked last is tried first; after a failure the next server of the
 * connection URI is. The URI is read again for each connection, so that changed credentials count without a restart.
 */
export class ConnectionAttempts {
  private readText = '';
  private readVersion = 0;
  private comparedAt = -Infinity;
  private settings: ConnectionSettings | undefined;
  private attempts: readonly Attempt[] = [];
  private position = 0;

  /** @param source the connection URI as it is now, and the password that replaces the one in it */
  constructor(private readonly source: ConnectionSource) {}

  /** How many attempts it takes until every server was tried. @throws {ConnectionUrlError} unless it was valid before */
  get count(): number {
    try {
      this.refresh();
    } catch (error) {
      if (this.settings === undefined) throw error;
    }
    return this.attempts.length;
  }

  /** How often the connection URI has changed, as of two seconds ago at most. */
  get version(): number {
    const now = performance.now();
    if (now - this.comparedAt < COMPARE_MS) return this.readVersion;
    this.comparedAt = now;
    try {
      this.refresh();
    } catch {
      // The next connection fails for the same reason.
    }
    return this.readVersion;
  }

  /** @throws {ConnectionUrlError} */
  get sessionAttributes(): ConnectionSettings['sessionAttributes'] {
    return this.refresh().sessionAttributes;
  }

  /** @throws {ConnectionUrlError} @throws {Error} when a certificate cannot be read */
  next(): { readonly attempt: Attempt; readonly config: ClientConfig; readonly version: number } {
    const settings = this.refresh();
    const attempt = this.attempts[this.position % this.attempts.length]!;
    const password = this.source.readPassword?.() ?? settings.password;
    return { attempt, config: { ...configOf(settings, attempt), password }, version: this.readVersion };
  }

  /** The next connection is made in another way, unless another failure has already seen to that. */
  failed(attempt: Attempt): void {
    if (this.attempts[this.position % this.attempts.length] === attempt) this.position += 1;
  }

  private refresh(): ConnectionSettings {
    const text = this.source.readUrl().trim();
    if (this.settings !== undefined && text === this.readText) return this.settings;
    this.settings = parseConnectionUrl(text);
    this.readText = text;
    this.readVersion += 1;
    this.attempts = attemptsOf(this.settings);
    this.position = 0;
    return this.settings;
  }
}

function attemptsOf({ servers, isBalanced, tls }: ConnectionSettings): Attempt[] {
  const ordered = isBalanced ? shuffled(servers) : servers;
  return ordered.flatMap((server) => {
    // As in libpq, a Unix socket is never encrypted.
    const encryptions = server.host.startsWith('/') ? [false] : ENCRYPTIONS[tls.mode];
    return encryptions.map((isEncrypted) => ({ ...server, isEncrypted }));
  });
}

function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, order: Math.random() }))
    .sort((one, other) => one.order - other.order)
    .map(({ value }) => value);
}

/** All but the password. */
function configOf(settings: ConnectionSettings, { host, port, isEncrypted }: Attempt): ClientConfig {
  const { user, database, applicationName, connectTimeoutMs, options, keepAlive, tls } = settings;
  return {
    ...{ host, port, user, database, keepAlive },
    ssl: isEncrypted ? tlsOptions(tls) : false,
    enableChannelBinding: tls.isChannelBound,
    ...(applicationName !== undefined && { application_name: applicationName }),
    ...(connectTimeoutMs !== undefined && { connectionTimeoutMillis: connectTimeoutMs }),
    ...(options !== undefined && { options }),
  };
}

function tlsOptions({ mode, rootCertificate, certificate, key, passphrase }: TlsSettings): TlsOptions {
  const isVerified = mode === 'verify-ca' || mode === 'verify-full';
  return {
    rejectUnauthorized: isVerified,
    ...(mode === 'verify-ca' && { checkServerIdentity: () => undefined }),
    ...(rootCertificate !== undefined && { ca: readFileSync(rootCertificate) }),
    ...(certificate !== undefined && { cert: readFileSync(certificate) }),
    ...(key !== undefined && { key: readFileSync(key) }),
    ...(passphrase !== undefined && { passphrase }),
  };
}
