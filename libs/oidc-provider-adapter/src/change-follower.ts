import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import { parseObject } from './client-document.js';
import type { FeedState } from './registry-options.js';

/** Receives change notifications and the feed's state. */
export interface ChangeListener {
  /**
   * One Client has changed.
   *
   * @param position of the change; undefined if the feed does not say
   */
  changed(clientId: string, position: string | undefined): void;
  /** An unknown Client has changed. @param position as of `changed` */
  changedAny(position: string | undefined): void;
  /** Changes are reported from now on; earlier ones may have been missed. */
  started(): void;
  feedChanged(state: FeedState): void;
}

/** The registry sends a comment every 15 s, so a stream idle for this long is dead. In milliseconds. */
const IDLE_TIMEOUT_MS = 45_000;

/** In characters; well above the event for a Client of maximum size. */
const MAX_EVENT_LENGTH = 4 * 1024 * 1024;

/** Reconnection delay in milliseconds: doubles from `first` to `last`, with jitter; the feed's `retry` replaces `first`. */
const RECONNECT_DELAY_MS = { first: 1_000, least: 10, last: 15_000 };

/**
 * Follows the registry's change feed until stopped, reconnecting whenever it ends. Changes made while disconnected are not
 * replayed: on `started`, listeners must discard what they know.
 */
export class ChangeFollower {
  private readonly stopping = new AbortController();
  private readonly ended: Promise<void>;
  private failures = 0;
  private firstDelayMs = RECONNECT_DELAY_MS.first;

  constructor(
    private readonly open: () => Promise<IncomingMessage>,
    private readonly listener: ChangeListener,
    private readonly idleTimeoutMs = IDLE_TIMEOUT_MS,
  ) {
    this.ended = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.ended;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const reason = await this.follow().catch((error: unknown) => reasonOf(error));
      if (signal.aborted) return;
      this.listener.feedChanged({ following: false, reason });
      await sleep(this.nextDelay(), undefined, { signal }).catch(() => undefined);
    }
  }

  /** @returns why the feed ended */
  private async follow(): Promise<string> {
    const stream = await this.open();
    const { signal } = this.stopping;
    const stop = (): void => void stream.destroy();
    signal.addEventListener('abort', stop, { once: true });
    const silence = setTimeout(
      () => stream.destroy(new Error('the change feed went silent')),
      this.idleTimeoutMs,
    );
    try {
      if (signal.aborted) return 'stopped';
      this.failures = 0;
      this.listener.started();
      this.listener.feedChanged({ following: true });
      const parser = createParser({
        onEvent: ({ data, id }) => this.take(data, id),
        onRetry: (pauseMs) => (this.firstDelayMs = Math.max(pauseMs, RECONNECT_DELAY_MS.least)),
        maxBufferSize: MAX_EVENT_LENGTH,
      });
      stream.setEncoding('utf8');
      for await (const piece of stream as AsyncIterable<string>) {
        silence.refresh();
        parser.feed(piece);
      }
      return 'the registry ended the change feed';
    } finally {
      clearTimeout(silence);
      signal.removeEventListener('abort', stop);
      stream.destroy();
    }
  }

  private take(data: string, position: string | undefined): void {
    const clientId = parseObject(data)?.['client_id'];
    if (typeof clientId === 'string') this.listener.changed(clientId, position);
    else this.listener.changedAny(position);
  }

  private nextDelay(): number {
    const pause = Math.min(this.firstDelayMs * 2 ** this.failures, RECONNECT_DELAY_MS.last);
    this.failures += 1;
    return pause * (0.5 + Math.random() / 2);
  }
}

function reasonOf(error: unknown): string {
  const { reason, message, code } = error as Error & { readonly reason?: string; readonly code?: string };
  return reason ?? (code === undefined ? message : `the connection was lost (${code})`);
}
