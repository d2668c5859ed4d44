import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

/** A change as it came. */
export interface Change {
  readonly seq: number;
  readonly client_id: string;
  readonly kind: string;
  readonly cursor: string;
  readonly client: Record<string, unknown> | null;
}

/** What a reader says when it begins. */
export interface FollowOptions {
  readonly since?: string;
  readonly lastEventId?: string;
}

/** An open stream of changes, read as a browser's EventSource would. */
export class FollowedChanges {
  readonly changes: Change[] = [];
  /** Comments, which show that the stream is alive. */
  comments = 0;
  lastEventId = '';
  retryMs = 0;
  /** When it was over, in milliseconds since 1970. */
  endedAt = 0;
  private rest = '';
  private readonly waiting = new Set<() => void>();

  private constructor(readonly response: IncomingMessage) {
    response.setEncoding('utf8').on('data', (chunk: string) => this.take(chunk));
    response.once('close', () => {
      this.endedAt = Date.now();
      this.changed();
    });
    response.on('error', () => undefined);
  }

  /** @throws {Error} with status and detail when it is refused */
  static async open(
    registry: { readonly url: string },
    token: string,
    { since, lastEventId }: FollowOptions = {},
  ): Promise<FollowedChanges> {
    const query = since === undefined ? '' : `?since=${since}`;
    const request = get(`${registry.url}/clients/changes${query}`, {
      agent: false,
      headers: {
        accept: 'text/event-stream',
        authorization: `Bearer ${token}`,
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      },
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    if (response.statusCode === 200) {
      const followed = new FollowedChanges(response);
      await followed.until(() => followed.lastEventId !== '' || followed.endedAt > 0);
      return followed;
    }
    const body = Buffer.concat(await response.toArray()).toString();
    throw new Error(`${response.statusCode} ${(JSON.parse(body) as { detail: string }).detail}`);
  }

  get seqs(): number[] {
    return this.changes.map(({ seq }) => seq);
  }

  /** Resolves once so many changes came, or the stream ended. */
  async arrived(count: number): Promise<Change[]> {
    await this.until(() => this.changes.length >= count || this.endedAt > 0);
    return this.changes;
  }

  async ended(): Promise<void> {
    await this.until(() => this.endedAt > 0);
  }

  close(): void {
    this.response.destroy();
  }

  private async until(isReached: () => boolean): Promise<void> {
    while (!isReached()) await new Promise<void>((resolve) => this.waiting.add(resolve));
  }

  private take(chunk: string): void {
    const blocks = (this.rest + chunk).split('\n\n');
    this.rest = blocks.pop() ?? '';
    for (const block of blocks) {
      for (const line of block.split('\n')) this.takeLine(line);
    }
    this.changed();
  }

  private takeLine(line: string): void {
    const [, field = '', value = ''] = /^([^:]*): (.*)$/.exec(line) ?? [];
    if (field === '') this.comments += 1;
    if (field === 'id') this.lastEventId = value;
    if (field === 'retry') this.retryMs = Number(value);
    if (field === 'data') this.changes.push(JSON.parse(value) as Change);
  }

  private changed(): void {
    for (const wake of this.waiting) wake();
    this.waiting.clear();
  }
}
