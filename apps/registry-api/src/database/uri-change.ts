import type { ClientBase, ClientConfig } from 'pg';
import type { Logger } from 'pino';
import { AddressedClient } from './addressed-client.js';
import type { ConnectionAttempts } from './connection-attempts.js';
import { reasonOf } from './outage.js';

/** Between attempts to connect with a URI that does not work yet. */
const RETRY_MS = 2_000;

/**
 * Replaces connections after the connection URI has changed, for example to another role: under load they would otherwise be
 * used forever. The former URI remains in use until the new one works, so a mistake in it does not end a service.
 */
export class UriChange {
  /** Version of the newest URI that has worked. */
  private workingVersion = 0;
  private failedVersion = 0;
  private triedAt = -Infinity;

  constructor(
    private readonly attempts: ConnectionAttempts,
    private readonly options: ClientConfig,
    private readonly logger: Logger,
  ) {}

  /** A connection was verified. */
  connected(client: ClientBase): void {
    if (client instanceof AddressedClient) this.works(client.uriVersion);
  }

  /** Whether a connection is to be closed, because one with a newer URI works. */
  supersedes(client: ClientBase): boolean {
    if (!(client instanceof AddressedClient)) return false;
    if (client.uriVersion < this.workingVersion) return true;
    if (client.uriVersion < this.attempts.version) void this.tryAgain();
    return false;
  }

  private works(version: number): void {
    if (version <= this.workingVersion) return;
    if (this.workingVersion > 0) {
      this.logger.info('the database URL has changed: replacing connections that use the previous one');
    }
    this.workingVersion = version;
    this.attempts.worked(version);
  }

  private async tryAgain(): Promise<void> {
    const now = performance.now();
    if (now - this.triedAt < RETRY_MS) return;
    this.triedAt = now;
    try {
      for (let attemptsLeft = this.attempts.count; attemptsLeft > 0; attemptsLeft -= 1) {
        const isLast = attemptsLeft === 1;
        const version = await this.tryOnce().catch((error: unknown) => {
          if (isLast) throw error;
        });
        if (version !== undefined) return this.works(version);
      }
    } catch (error) {
      this.fails(error);
    }
  }

  /** @returns the version of the URI that a connection was made with */
  private async tryOnce(): Promise<number> {
    const client = new AddressedClient(this.options, this.attempts, false);
    try {
      await client.connect();
      const { rowCount } = await client.query('SELECT WHERE pg_is_in_recovery()');
      if (rowCount === 0) return client.uriVersion;
      client.skip();
      throw new Error('the server is a standby');
    } finally {
      // Not awaited: a server that stopped responding does not answer this either.
      client.end().catch(() => undefined);
    }
  }

  private fails(error: unknown): void {
    const { version } = this.attempts;
    if (version === this.failedVersion) return;
    this.failedVersion = version;
    this.logger.error(
      { reason: reasonOf(error) },
      'the database URL has changed, but the new one does not work: the previous one remains in use',
    );
  }
}
