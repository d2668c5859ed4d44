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

/** The ways to connect that one connection URI allows. What worked last is tried first, and after a failure the next one. */
class UriAttempts {
  private readonly attempts: readonly Attempt[];
  private position = 0;

  constructor(
    readonly settings: ConnectionSettings,
    readonly version: number,
  ) {
    this.attempts = attemptsOf(settings);
  }

  get count(): number {
    return this.attempts.length;
  }

  get current(): Attempt {
    return this.attempts[this.position % this.count]!;
  }

  includes(attempt: Attempt): boolean {
    return this.attempts.includes(attempt);
  }

  /** Moves on, unless another failure already has. @returns whether all have failed by now */
  failed(attempt: Attempt): boolean {
    if (this.current === attempt) this.position += 1;
    return this.position % this.count === 0;
  }
}

/**
 * Chooses how the next connection is made. The URI is read again for each connection, so that changed credentials take effect
 * without a restart. While a changed URI does not work, the last one that did stays in use.
 */
export class ConnectionAttempts {
  /** Undefined when it could not be read. */
  private readText: string | undefined;
  private readVersion = 0;
  private comparedAt = -Infinity;
  private obstacle: unknown;
  private newest: UriAttempts | undefined;
  private working: UriAttempts | undefined;
  private usesFormer = false;

  /** @param source the connection URI as it is now, and the password that replaces the one in it */
  constructor(private readonly source: ConnectionSource) {}

  /** How many attempts it takes to try every server; 1 if the URI cannot be read, which the attempt then reports. */
  get count(): number {
    this.refresh();
    return Math.max(1, (this.newest?.count ?? 0) + (this.former?.count ?? 0));
  }

  /** How often the connection URI has changed, as of two seconds ago at most. */
  get version(): number {
    const now = performance.now();
    if (now - this.comparedAt < COMPARE_MS) return this.readVersion;
    this.comparedAt = now;
    this.refresh();
    return this.readVersion;
  }

  /** Whether the next connection is made with the former URI, since the present one does not work. */
  get isFormerNext(): boolean {
    return this.usesFormer;
  }

  /** Whether there is a newer URI to connect with, as of two seconds ago at most. */
  supersedes(version: number): boolean {
    return this.version > version && this.newest !== undefined && !this.usesFormer;
  }

  /**
   * @param mayBeFormer whether the former URI is used while the present one does not work
   * @throws {ConnectionUrlError} @throws {Error} when a file cannot be read
   */
  next(mayBeFormer = true): {
    readonly attempt: Attempt;
    readonly config: ClientConfig;
    readonly version: number;
  } {
    this.refresh();
    const chosen = mayBeFormer ? this.chosen : this.newest;
    if (chosen === undefined) throw this.obstacle;
    const { settings, current, version } = chosen;
    const password = this.source.readPassword?.() ?? settings.password;
    return { attempt: current, config: { ...configOf(settings, current), password }, version };
  }

  /**
   * The next connection is made in another way.
   *
   * @param isRejected whether the login was rejected, as it would be at the other servers of the same URI
   */
  failed(attempt: Attempt, isRejected = false): void {
    const uri = [this.newest, this.working].find((one) => one?.includes(attempt));
    if (uri === undefined) return;
    const areAllTried = uri.failed(attempt);
    if (areAllTried || isRejected) this.usesFormer = uri === this.newest && this.former !== undefined;
  }

  /** A connection was made with this version of the URI, and verified. */
  worked(version: number): void {
    if (this.newest?.version !== version) return;
    this.working = this.newest;
    this.usesFormer = false;
  }

  private get former(): UriAttempts | undefined {
    return this.working === this.newest ? undefined : this.working;
  }

  private get chosen(): UriAttempts | undefined {
    return this.usesFormer ? this.former : (this.newest ?? this.former);
  }

  private refresh(): void {
    const { text, error } = this.read();
    if (text === this.readText && this.readVersion > 0) return;
    this.readText = text;
    this.readVersion += 1;
    this.usesFormer = false;
    this.newest = undefined;
    this.obstacle = error;
    try {
      if (text !== undefined) this.newest = new UriAttempts(parseConnectionUrl(text), this.readVersion);
    } catch (reason) {
      this.obstacle = reason;
    }
  }

  private read(): { readonly text?: string; readonly error?: unknown } {
    try {
      return { text: this.source.readUrl().trim() };
    } catch (error) {
      return { error };
    }
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
