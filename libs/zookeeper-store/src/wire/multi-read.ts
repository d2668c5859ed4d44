import { ANSWERED_ERROR, MULTI_HEADER_BYTES } from './multi.js';
import type { WireReply } from './wire-reply.js';
import { textBytes, WireRequest } from './wire-request.js';

/** ZooKeeper's `ZooDefs.OpCode`; servers before 3.6 do not know it. */
const MULTI_READ = 22;
const WATCH_BYTES = 1;

/** What may be read many at a time, by `ZooDefs.OpCode`. `GET_CHILDREN` is the form without the node's `Stat`. */
export const GET_DATA = 4;
export const GET_CHILDREN = 8;

/** One of many reads: what was read, or ZooKeeper's code of why it was not. */
export type ReadOutcome<T> = { readonly value: T } | { readonly code: number };

/** The same read of several nodes: each succeeds or fails by itself. */
export function encodeMultiRead(
  code: typeof GET_DATA | typeof GET_CHILDREN,
  paths: readonly string[],
): WireRequest {
  const bytes = paths.reduce(
    (sum, path) => sum + MULTI_HEADER_BYTES + textBytes(path) + WATCH_BYTES,
    MULTI_HEADER_BYTES,
  );
  const request = new WireRequest(MULTI_READ, bytes);
  for (const path of paths) request.int(code).bool(false).int(-1).text(path).bool(false);
  return request.int(-1).bool(true).int(-1);
}

/** @param read takes one node's fields from the reply */
export function decodeMultiRead<T>(reply: WireReply, read: (reply: WireReply) => T): ReadOutcome<T>[] {
  const outcomes: ReadOutcome<T>[] = [];
  for (;;) {
    const type = reply.int();
    const isLast = reply.bool();
    reply.int();
    if (isLast) return outcomes;
    outcomes.push(type === ANSWERED_ERROR ? { code: reply.int() } : { value: read(reply) });
  }
}
