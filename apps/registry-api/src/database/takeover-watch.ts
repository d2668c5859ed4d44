import type { ClientBase } from 'pg';
import { closeBroken, receivedBytes } from './response-timeout.js';

/** How long a connection may be silent, while it is in use, before another server may have taken over. */
const SUSPICIOUS_MS = 1_000;

/** Between looks at the connections in use. */
const LOOK_EVERY_MS = 250;

/** What is known of a connection in use. */
interface Silence {
  receivedBytes: number;
  since: number;
}

/**
 * Closes connections in use to a server that is frozen or cut off once another one takes writes. Without this, their
 * statements would hold them, and with them all callers who wait for a connection, until the response timeout.
 */
export class TakeoverWatch {
  private readonly inUse = new Map<ClientBase, Silence>();
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param primary which server takes writes now, by a new connection; undefined if there is none
   * @param serverOf which server a connection leads to; undefined if that is not known
   * @param tookOver called when a server other than that of connections in use takes writes
   */
  constructor(
    private readonly primary: () => Promise<string | undefined>,
    private readonly serverOf: (client: ClientBase) => string | undefined,
    private readonly tookOver: () => void,
  ) {}

  acquired(client: ClientBase): void {
    this.measureSilence(client);
    this.timer ??= this.lookLater();
  }

  released(client: ClientBase): void {
    this.inUse.delete(client);
  }

  private measureSilence(client: ClientBase): void {
    this.inUse.set(client, { receivedBytes: receivedBytes(client), since: performance.now() });
  }

  private lookLater(): NodeJS.Timeout {
    return setTimeout(() => void this.look(), LOOK_EVERY_MS).unref();
  }

  private async look(): Promise<void> {
    if (this.silent().length > 0) this.closeFormer(await this.primary());
    this.timer = this.inUse.size > 0 ? this.lookLater() : undefined;
  }

  private closeFormer(primary: string | undefined): void {
    if (primary === undefined) return;
    const silent = this.silent();
    const isFormer = (client: ClientBase) => this.serverOf(client) !== primary;
    // The other connections run long statements. Looking again soon, with a new connection, would burden a busy server.
    for (const client of silent) if (!isFormer(client)) this.measureSilence(client);
    const former = silent.filter(isFormer);
    if (former.length === 0) return;
    this.tookOver();
    for (const client of former) closeBroken(client, 'another database server has taken over');
  }

  /** The connections whose server is known and has been silent for too long. */
  private silent(): ClientBase[] {
    const now = performance.now();
    return [...this.inUse].flatMap(([client, silence]) => {
      const received = receivedBytes(client);
      if (received !== silence.receivedBytes) Object.assign(silence, { receivedBytes: received, since: now });
      return now - silence.since >= SUSPICIOUS_MS && this.serverOf(client) !== undefined ? [client] : [];
    });
  }
}
