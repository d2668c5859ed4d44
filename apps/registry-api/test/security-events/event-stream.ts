import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningRegistry } from '../running-registry.js';

/** A reader of security events as they are recorded. */
export class EventStream {
  /** What came so far. */
  text = '';
  /** Resolves at the end of the stream. */
  readonly ended: Promise<void>;
  private isOpen = true;
  private readonly reader: ReadableStreamDefaultReader<string>;

  private constructor(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
    this.reader = body.pipeThrough(new TextDecoderStream()).getReader();
    this.ended = this.read();
  }

  /** @throws {Error} with status and detail when it is refused */
  static async open({ url, token }: RunningRegistry, lastEventId?: string, query = ''): Promise<EventStream> {
    const response = await fetch(`${url}/audit?${query}`, {
      headers: {
        ...{ authorization: `Bearer ${token}`, accept: 'text/event-stream' },
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      },
    });
    if (response.status === 200) return new EventStream(response.body!);
    throw new Error(`${response.status} ${((await response.json()) as { detail: string }).detail}`);
  }

  /** Fails if the stream ends before. */
  async until(part: string): Promise<void> {
    while (!this.text.includes(part)) {
      if (!this.isOpen) throw new Error(`the stream ended without ${part}`);
      await sleep(20);
    }
  }

  /** Fails if the stream ends before. */
  async isOpenFor(ms: number): Promise<void> {
    await Promise.race([sleep(ms), this.ended]);
    if (!this.isOpen) throw new Error('the stream ended');
  }

  async close(): Promise<void> {
    await this.reader.cancel();
  }

  private async read(): Promise<void> {
    for (;;) {
      const { value, done } = await this.reader.read();
      if (done) break;
      this.text += value;
    }
    this.isOpen = false;
  }
}
