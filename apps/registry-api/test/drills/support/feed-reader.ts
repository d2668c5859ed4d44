import { setTimeout as sleep } from 'node:timers/promises';
import { FollowedChanges } from '../../changes/followed-changes.js';

const PAUSE_MS = 100;

/**
 * Follows the change feed as a reader that keeps its own copy of all Clients: it continues where it was when a stream ends, and
 * reads everything anew when its position is gone.
 */
export class FeedReader {
  /** How often its position was gone. */
  restarts = 0;
  /** The streams since then; each begins where the one before ended. */
  private streams: FollowedChanges[] = [];
  private isWanted = true;
  private readonly following: Promise<void>;

  constructor(
    private readonly registry: { readonly url: string },
    private readonly token: string,
  ) {
    this.following = this.follow();
  }

  /** The Clients that exist, as far as it knows. */
  get clientIds(): Set<string> {
    const ids = new Set<string>();
    for (const { client_id: id, client } of this.changes()) {
      if (client === null) ids.delete(id);
      else ids.add(id);
    }
    return ids;
  }

  /** The first of the Clients that it does not know, or that are not there. Comparing sets in Jest takes seconds. */
  differences(ids: ReadonlySet<string>): string[] {
    const known = this.clientIds;
    const missing = [...ids].filter((id) => !known.has(id)).map((id) => `lacks ${id}`);
    const surplus = [...known].filter((id) => !ids.has(id)).map((id) => `has ${id}`);
    return [...missing, ...surplus].slice(0, 10);
  }

  /** Changes that came twice, or before an earlier one. */
  get disorder(): number {
    const seqs = this.changes().map(({ seq }) => seq);
    return seqs.filter((seq, index) => index > 0 && seq <= seqs[index - 1]!).length;
  }

  async stop(): Promise<void> {
    this.isWanted = false;
    this.streams.at(-1)?.close();
    await this.following;
  }

  private changes() {
    return this.streams.flatMap(({ changes }) => changes);
  }

  private async follow(): Promise<void> {
    for (; this.isWanted; await sleep(PAUSE_MS)) {
      const lastEventId = this.streams.at(-1)?.lastEventId || '0';
      try {
        const stream = await FollowedChanges.open(this.registry, this.token, { lastEventId });
        this.streams.push(stream);
        if (!this.isWanted) stream.close();
        await stream.ended();
      } catch (error) {
        if (!String(error).includes('Error: 410')) continue;
        this.streams = [];
        this.restarts += 1;
      }
    }
  }
}
