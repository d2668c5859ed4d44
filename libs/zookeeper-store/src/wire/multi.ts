import type { AccessEntry } from './access-rules.js';
import type { FrameMemory } from './frame-memory.js';
import type { WireReply } from './wire-reply.js';
import { dataBytes, textBytes, WireRequest } from './wire-request.js';

export type MultiOperation =
  | { readonly type: 'check'; readonly path: string }
  | {
      readonly type: 'create';
      readonly path: string;
      readonly data: Uint8Array;
      readonly acl: readonly AccessEntry[];
      readonly ephemeral?: boolean;
    }
  | { readonly type: 'setData'; readonly path: string; readonly data: Uint8Array; readonly version: number }
  | { readonly type: 'remove'; readonly path: string; readonly version: number };

/** ZooKeeper's `ZooDefs.OpCode`. */
const MULTI = 14;
const CODES = { create: 1, remove: 2, setData: 5, check: 13 } as const;
/** Result type of an operation that failed or was rolled back. */
export const FAILED_TYPE = -1;

const ANY_VERSION = -1;
const EPHEMERAL = 1;
/** Type, end marker, error. */
export const MULTI_HEADER_BYTES = 9;
const INT_BYTES = 4;

/** Operations that succeed or fail together. */
export function encodeMulti(operations: readonly MultiOperation[], memory?: FrameMemory): WireRequest {
  const bytes = operations.reduce(
    (sum, one) => sum + MULTI_HEADER_BYTES + operationBytes(one),
    MULTI_HEADER_BYTES,
  );
  const request = new WireRequest(MULTI, bytes, memory);
  for (const operation of operations) {
    request.int(CODES[operation.type]).bool(false).int(-1).text(operation.path);
    encodeFields(request, operation);
  }
  return request.int(-1).bool(true).int(-1);
}

function operationBytes(operation: MultiOperation): number {
  const bytes = textBytes(operation.path) + INT_BYTES;
  if (operation.type === 'setData') return bytes + dataBytes(operation.data);
  return operation.type === 'create' ? bytes + dataBytes(operation.data) + aclBytes(operation.acl) : bytes;
}

function aclBytes(acl: readonly AccessEntry[]): number {
  return acl.reduce((sum, { scheme, id }) => sum + INT_BYTES + textBytes(scheme) + textBytes(id), INT_BYTES);
}

function encodeFields(request: WireRequest, operation: MultiOperation): void {
  switch (operation.type) {
    case 'create':
      request.data(operation.data).int(operation.acl.length);
      for (const { permissions, scheme, id } of operation.acl) request.int(permissions).text(scheme).text(id);
      request.int(operation.ephemeral ? EPHEMERAL : 0);
      return;
    case 'setData':
      request.data(operation.data).int(operation.version);
      return;
    case 'remove':
      request.int(operation.version);
      return;
    case 'check':
      request.int(ANY_VERSION);
  }
}

/** @returns each operation's error code; 0 for success */
export function decodeMulti(reply: WireReply): number[] {
  const errors: number[] = [];
  for (;;) {
    const type = reply.int();
    const isLast = reply.bool();
    reply.int();
    if (isLast) return errors;
    if (type === CODES.create) reply.text();
    else if (type === CODES.setData) reply.stat();
    errors.push(type === FAILED_TYPE ? reply.int() : 0);
  }
}

/** ZooKeeper's `ZooDefs.OpCode`; servers before 3.6 do not know it. */
const MULTI_READ = 22;
const WATCH_BYTES = 1;

/** Operations allowed in a multi-read (`ZooDefs.OpCode`). `GET_CHILDREN` is the form without `Stat`. */
export const GET_DATA = 4;
export const GET_CHILDREN = 8;

/** The result of one read in a multi-read: the value, or ZooKeeper's error code. */
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

/** @param read decodes one node's fields */
export function decodeMultiRead<T>(reply: WireReply, read: (reply: WireReply) => T): ReadOutcome<T>[] {
  const outcomes: ReadOutcome<T>[] = [];
  for (;;) {
    const type = reply.int();
    const isLast = reply.bool();
    reply.int();
    if (isLast) return outcomes;
    outcomes.push(type === FAILED_TYPE ? { code: reply.int() } : { value: read(reply) });
  }
}
