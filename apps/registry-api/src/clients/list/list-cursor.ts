import { createHash } from 'node:crypto';
import { selectsAll } from '@svc/client-metadata';
import { POSITION } from '../change-position.js';
import { invalidCursor } from '../client.errors.js';
import type { ClientFilter, ListPosition, Sort } from './page-request.js';

/** What a cursor carries from page to page. */
export interface ListCursor {
  readonly after: ListPosition;
  /** Sequence number of the last change that the first page is certain to reflect. */
  readonly seq: string;
}

/** Base64 of a key of 255 characters, each of up to 12 in JSON (an escaped pair), a client_id and the rest. */
export const MAX_CURSOR_LENGTH = 5_000;

/** Milliseconds since 1970 that PostgreSQL and JavaScript can both hold. */
const MAX_TIME = 8_640_000_000_000_000;

/** Identifies a list: the cursor of one means nothing in another. Earlier versions had no selectors. */
export function listIdOf(sort: Sort, { selector, ...filter }: ClientFilter): string {
  const reached = selectsAll(selector) ? [] : [selector];
  return createHash('sha256')
    .update(JSON.stringify([sort, filter, ...reached]))
    .digest('base64url')
    .slice(0, 12);
}

export function toCursor(listId: string, { after, seq }: ListCursor): string {
  return Buffer.from(JSON.stringify([listId, seq, after.key, after.clientId])).toString('base64url');
}

/** @throws {RegistryError} `invalid_cursor` unless the list `listId` returned it */
export function fromCursor(cursor: string, listId: string, isTime: boolean): ListCursor {
  const [list, position, key, clientId] = membersOf(cursor);
  // Earlier versions wrote the number alone.
  const seq = typeof position === 'number' ? String(position) : position;
  const isPosition = isTime ? isWhole(key, MAX_TIME) : isText(key);
  if (!isText(list) || !isText(seq) || !POSITION.test(seq) || !isText(clientId)) {
    throw invalidCursor();
  }
  if (list !== listId) throw invalidCursor('belongs to a different sort or filter');
  if (!isPosition) throw invalidCursor();
  return { after: { key: key as string | number, clientId }, seq };
}

function membersOf(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

function isWhole(value: unknown, max: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= max;
}

/** PostgreSQL rejects NUL. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}
