import type { FeedChange } from './change.dto.js';

/** A change as it goes to every stream. */
export interface EncodedChange {
  readonly seq: number;
  readonly bytes: Buffer;
}

/** One event of `text/event-stream` (WHATWG HTML section 9.2): the change's number is its id, JSON has no line breaks. */
export function encodeChange(change: FeedChange): EncodedChange {
  return { seq: change.seq, bytes: Buffer.from(`id: ${change.seq}\ndata: ${JSON.stringify(change)}\n\n`) };
}
