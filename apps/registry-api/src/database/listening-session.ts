import { randomBytes } from 'node:crypto';
import type { Notification } from 'pg';
import type { AddressedClient } from './addressed-client.js';
import { detectPooling, isPooled } from './pooling.js';
import type { RegistryPool } from './registry-pool.js';

/** A connection that does not respond within this time is closed. */
const TIMEOUT_MS = 5_000;

const OPTIONS = {
  application_name: 'svc-registry-feed',
  keepAlive: true,
  connectionTimeoutMillis: TIMEOUT_MS,
  query_timeout: TIMEOUT_MS,
};

/** LISTEN has no effect through this connection. */
export class NotListeningError extends Error {
  override readonly name = 'NotListeningError';
}

/**
 * A statement that notifies a channel. Notifications need not survive a crash, so their commits need not wait for the disk or
 * for standbys. The setting ends with the transaction: behind a pooler the session may be another caller's next.
 */
export function notifyStatement(channel: string): string {
  return `BEGIN; SET LOCAL synchronous_commit = off; NOTIFY ${channel}; COMMIT`;
}

/** A connection that receives notifications, as verified by notifying itself: some poolers accept LISTEN without effect. */
export class ListeningSession {
  private readonly ownChannel = `svc_registry_link_${randomBytes(6).toString('hex')}`;
  private readonly client: AddressedClient;
  private state: 'opening' | 'open' | 'closed' = 'opening';

  private constructor(
    private readonly pool: RegistryPool,
    private readonly onClosed: () => void,
  ) {
    this.client = pool.createListener(OPTIONS);
    // Every error ends the connection.
    this.client.on('error', () => this.close());
    this.client.once('end', () => this.close());
  }

  /**
   * @param onNotified called for each notification of another session
   * @param onClosed called once when the open session is closed, by either side
   * @throws {NotListeningError}
   */
  static async open(
    pool: RegistryPool,
    channel: string,
    { onNotified, onClosed }: { readonly onNotified: () => void; readonly onClosed: () => void },
  ): Promise<ListeningSession> {
    for (let attemptsLeft = pool.listenAttemptCount; ; attemptsLeft -= 1) {
      const session = new ListeningSession(pool, onClosed);
      try {
        await session.listen(channel, onNotified);
        session.state = 'open';
        return session;
      } catch (error) {
        session.client.skip();
        session.close();
        if (attemptsLeft <= 1 || error instanceof NotListeningError) throw error;
      }
    }
  }

  /** Whether notifications still arrive, on a connection with the current URI. Rejects if none can be sent. */
  async verify(): Promise<boolean> {
    if (this.client.isOutdated) return false;
    let notify: (didArrive: boolean) => void = () => undefined;
    const arrived = new Promise<boolean>((resolve) => (notify = resolve));
    const onNotification = ({ channel }: Notification) => channel === this.ownChannel && notify(true);
    this.client.on('notification', onNotification);
    let timer: NodeJS.Timeout | undefined;
    try {
      await this.pool.query(notifyStatement(this.ownChannel));
      timer = setTimeout(() => notify(false), TIMEOUT_MS);
      return await arrived;
    } finally {
      clearTimeout(timer);
      this.client.off('notification', onNotification);
    }
  }

  async notify(channel: string): Promise<void> {
    await this.client.query(notifyStatement(channel));
  }

  close(): void {
    const wasOpen = this.state === 'open';
    if (this.state === 'closed') return;
    this.state = 'closed';
    // Not awaited: a server that stopped responding does not answer this either.
    this.client.end().catch(() => undefined);
    if (wasOpen) this.onClosed();
  }

  private async listen(channel: string, onNotified: () => void): Promise<void> {
    await this.client.connect();
    const { rows } = await this.client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const pid = rows[0]!.pid;
    // LISTEN would persist in a session that others use, too.
    const isShared =
      isPooled(this.client, pid) &&
      (await detectPooling(() => this.pool.createListener(OPTIONS))) === 'transaction';
    if (isShared) throw new NotListeningError('a pooler in transaction mode delivers no notifications');
    this.client.on('notification', (notification) => {
      if (notification.channel === channel && notification.processId !== pid) onNotified();
    });
    await this.client.query(`LISTEN ${channel}; LISTEN ${this.ownChannel}`);
    if (await this.verify()) return;
    throw new NotListeningError('notifications do not arrive: is this the database of DATABASE_URL?');
  }
}
