/**
 * Requests of one token that are worked on at a time while others need the server, too. A token alone has no such limit: more
 * requests share a statement of the database then.
 */
export const AT_A_TIME = 24;

/** For how long after its last request a token counts among those that need the server. */
export const SHARED_MS = 2_000;

/**
 * How long a turn lasts, in milliseconds. A request that takes longer mostly waits for something else, such as a lock or another
 * server, so it no longer holds up those behind it.
 */
export const TURN_MS = 200;

/** When a token last asked for a turn. */
interface Ask {
  readonly token: string;
  readonly at: number;
}

interface TokenTurns {
  running: number;
  /** Starts those that wait, in order. */
  readonly waiting: Set<() => void>;
}

/**
 * While several tokens need the server, lets only a few requests of each run at a time, and start in one turn of the event loop;
 * the others wait. All share one event loop, so each takes as long as those beside it: a caller with few requests waits for a few
 * of another's, not for all.
 */
export class RequestTurns {
  private readonly byToken = new Map<string, TokenTurns>();
  private latest: Ask | undefined;
  /** The latest of another token than `latest`. */
  private latestOther: Ask | undefined;

  /**
   * @param start called when it is the request's turn, perhaps at once
   * @returns ends the turn, or gives it up; further calls have no effect
   */
  take(token: string, start: () => void): () => void {
    this.note(token);
    const turns = this.turnsOf(token);
    let timer: NodeJS.Timeout | undefined;
    let isOver = false;
    const begin = () => {
      turns.running += 1;
      timer = setTimeout(end, TURN_MS).unref();
      start();
    };
    const end = () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      if (turns.waiting.delete(begin)) return;
      // A request that is answered at once still counts in this turn of the event loop.
      setImmediate(() => {
        turns.running -= 1;
        this.startNext(token, turns);
      });
    };
    turns.waiting.add(begin);
    this.startNext(token, turns);
    return end;
  }

  private turnsOf(token: string): TokenTurns {
    const known = this.byToken.get(token);
    if (known) return known;
    const turns = { running: 0, waiting: new Set<() => void>() };
    this.byToken.set(token, turns);
    return turns;
  }

  private note(token: string): void {
    if (this.latest?.token !== token) this.latestOther = this.latest;
    this.latest = { token, at: performance.now() };
  }

  private isAlone(token: string): boolean {
    const other = this.latest?.token === token ? this.latestOther : this.latest;
    return other === undefined || performance.now() - other.at > SHARED_MS;
  }

  private startNext(token: string, turns: TokenTurns): void {
    for (const begin of turns.waiting) {
      if (turns.running >= AT_A_TIME && !this.isAlone(token)) break;
      turns.waiting.delete(begin);
      begin();
    }
    // Callers without requests take no memory.
    if (turns.running === 0 && turns.waiting.size === 0) this.byToken.delete(token);
  }
}
