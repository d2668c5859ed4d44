import { ActiveCallers } from '../runtime/active-callers.js';

/**
 * How many requests of one token run at a time while others need the server, too. Few, since each request of another waits for
 * that many in every turn of the event loop. Alone, a token has no limit: more requests then share one SQL statement.
 */
export const AT_A_TIME = 4;

/**
 * How long a turn lasts, in milliseconds. A request that takes longer mostly waits for something else, such as a lock or another
 * server, so it no longer holds up those behind it.
 */
export const TURN_MS = 200;

interface TokenTurns {
  running: number;
  /** Starts those that wait, in order. */
  readonly waiting: Set<() => void>;
}

/**
 * While several tokens need the server, only a few requests of each run at a time, or start in one turn of the event loop; the
 * others wait. All share one event loop, so each request is slowed by those beside it: this way, a caller with few requests
 * waits for only a few of another's, not for all.
 */
export class RequestTurns {
  private readonly byToken = new Map<string, TokenTurns>();

  constructor(private readonly callers = new ActiveCallers()) {}

  /**
   * @param start called when it is the request's turn, perhaps at once
   * @returns ends the turn, or gives it up; further calls have no effect
   */
  take(token: string, start: () => void): () => void {
    this.callers.note(token);
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

  private startNext(token: string, turns: TokenTurns): void {
    for (const begin of turns.waiting) {
      if (turns.running >= AT_A_TIME && !this.callers.isAlone(token)) break;
      turns.waiting.delete(begin);
      begin();
    }
    // Callers without requests take no memory.
    if (turns.running === 0 && turns.waiting.size === 0) this.byToken.delete(token);
  }
}
