import { ApiError } from '../api/api-error.js';
import { readEvents, textOf } from '../api/event-stream.js';
import { retryAfterMs } from '../api/retries.js';
import { sendRequest } from '../api/request.js';
import { currentSession } from '../api/session.js';
import type { FeedChange } from './recent-changes.js';

/** The server sends something every 15 seconds; a stream this silent is dead. */
const SILENCE_TIMEOUT_MS = 60_000;

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 15_000;

/** Upper bound on Retry-After: someone is watching the screen. */
const MAX_WAIT_MS = 300_000;

export type FeedState = 'connecting' | 'live' | 'broken';

export interface ChangeFollower {
  readonly onChange: (change: FeedChange) => void;
  readonly onState: (state: FeedState) => void;
  /** Changes were undone, or are no longer kept: the caller must read them again, and follow from there. */
  readonly onGone: () => void;
}

/** Follows changes after `since` until `signal` aborts or the session ends, resuming a broken stream where it stopped. */
export async function followChanges(
  since: string,
  { onChange, onState, onGone }: ChangeFollower,
  signal: AbortSignal,
): Promise<void> {
  let last = since;
  let pause = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    onState(pause === FIRST_PAUSE_MS ? 'connecting' : 'broken');
    let retryAfter = 0;
    try {
      for await (const change of openStream(last, signal, () => onState('live'))) {
        pause = FIRST_PAUSE_MS;
        last = change.cursor;
        onChange(change);
      }
    } catch (error) {
      if (error instanceof ApiError && error.status === 410) {
        onGone();
        return;
      }
      // The state reports the failure; the next attempt shows whether it persists.
      retryAfter = Math.min(retryAfterMs(error), MAX_WAIT_MS);
    }
    if (signal.aborted) return;
    onState('broken');
    if (currentSession()?.ended) return;
    await wait(Math.max(pause, retryAfter), signal);
    pause = Math.min(pause * 2, MAX_PAUSE_MS);
  }
}

async function* openStream(
  since: string,
  signal: AbortSignal,
  onOpen: () => void,
): AsyncGenerator<FeedChange> {
  const ending = new AbortController();
  const end = () => ending.abort();
  signal.addEventListener('abort', end, { once: true });
  let timer = setTimeout(end, SILENCE_TIMEOUT_MS);
  try {
    const response = await sendRequest({
      path: '/clients/changes',
      query: { since },
      headers: { accept: 'text/event-stream' },
      signal: ending.signal,
      // Silence ends it.
      deadlineMs: Infinity,
    });
    onOpen();
    if (!response.body) return;
    for await (const event of readEvents(textOf(response.body))) {
      clearTimeout(timer);
      timer = setTimeout(end, SILENCE_TIMEOUT_MS);
      if (event) yield JSON.parse(event.data) as FeedChange;
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    end();
  }
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
