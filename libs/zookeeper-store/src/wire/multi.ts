import type { AccessEntry } from './access-rules.js';
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
/** Stands for the operation's code where it was not done. */
export const ANSWERED_ERROR = -1;

const ANY_VERSION = -1;
const EPHEMERAL = 1;
/** Type, whether it is the last, error. */
export const MULTI_HEADER_BYTES = 9;
const INT_BYTES = 4;

/** Operations of which all are done, or none. */
export function encodeMulti(operations: readonly MultiOperation[]): WireRequest {
  const bytes = operations.reduce(
    (sum, one) => sum + MULTI_HEADER_BYTES + operationBytes(one),
    MULTI_HEADER_BYTES,
  );
  const request = new WireRequest(MULTI, bytes);
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

/** @returns each operation's error code; 0 for what was done */
export function decodeMulti(reply: WireReply): number[] {
  const errors: number[] = [];
  for (;;) {
    const type = reply.int();
    const isLast = reply.bool();
    reply.int();
    if (isLast) return errors;
    if (type === CODES.create) reply.text();
    else if (type === CODES.setData) reply.stat();
    errors.push(type === ANSWERED_ERROR ? reply.int() : 0);
  }
}
