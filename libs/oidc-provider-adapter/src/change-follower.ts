import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import { parseObject } from './client-document.js';
import type { FeedState } from './registry-options.js';

/** What becomes known of changes. */
export interface ChangeListener {
  /** A Client was changed. */
  changed(clientId: string): void;
  /** From now on changes are told; what came before is not known. */
  begun(): void;
  told(state: FeedState): void;
}

/** A comment comes every 15 s; a stream that stays silent for longer than this has died on its way. In milliseconds. */
const SILENCE_MS = 45_000;

/** A change with a Client that has all it can hold stays far below; in characters. */
const MAX_EVENT_LENGTH = 4 * 1024 * 1024;

/** Milliseconds before the feed is opened again, unless it says otherwise: doubled up to the last as it fails, and spread. */
const PAUSE_MS = { first: 1_000, least: 10, last: 15_000 };

/**
 * Follows the registry's change feed until it is stopped, and opens it again when it ends. Changes of the time between are
 * not asked for: `begun` says that nothing known before counts any more.
 */
export class ChangeFollower {
  private readonly stopping = new AbortController();
  private readonly ended: Promise<void>;
  private failures = 0;
  private firstPauseMs = PAUSE_MS.first;

  constructor(
    private readonly open: () => Promise<IncomingMessage>,
    private readonly listener: ChangeListener,
    private readonly silenceMs = SILENCE_MS,
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
      this.listener.told({ following: false, reason });
      await sleep(this.nextPause(), undefined, { signal }).catch(() => undefined);
    }
  }

  /** @returns why it ended */
  private async follow(): Promise<string> {
    const stream = await this.open();
    const { signal } = this.stopping;
    const stop = (): void => void stream.destroy();
    signal.addEventListener('abort', stop, { once: true });
    const silence = setTimeout(() => stream.destroy(new Error('the change feed is silent')), this.silenceMs);
    try {
      if (signal.aborted) return 'stopped';
      this.failures = 0;
      this.listener.begun();
      this.listener.told({ following: true });
      const parser = createParser({
        onEvent: ({ data }) => this.take(data),
        onRetry: (pauseMs) => (this.firstPauseMs = Math.max(pauseMs, PAUSE_MS.least)),
        maxBufferSize: MAX_EVENT_LENGTH,
      });
      stream.setEncoding('utf8');
      for await (const piece of stream as AsyncIterable<string>) {
        silence.refresh();
        parser.feed(piece);
      }
      return 'the registry has ended the change feed';
    } finally {
      clearTimeout(silence);
      signal.removeEventListener('abort', stop);
      stream.destroy();
    }
  }

  private take(data: string): void {
    const clientId = parseObject(data)?.['client_id'];
    if (typeof clientId === 'string') this.listener.changed(clientId);
    // Whatever it tells, it is about some Client.
    else this.listener.begun();
  }

  private nextPause(): number {
    const pause = Math.min(this.firstPauseMs * 2 ** this.failures, PAUSE_MS.last);
    this.failures += 1;
    return pause * (0.5 + Math.random() / 2);
  }
}

function reasonOf(error: unknown): string {
  const { reason, message, code } = error as Error & { readonly reason?: string; readonly code?: string };
  return reason ?? (code === undefined ? message : `the connection broke (${code})`);
}
