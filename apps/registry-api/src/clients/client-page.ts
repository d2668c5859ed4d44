import { InvalidCursorError } from './client.errors.js';
import type { StoredClient } from './stored-client.js';

/** Where a page ends: the last Client on it, in the order of registration. */
export type PagePosition = Pick<StoredClient, 'createdAt' | 'clientId'>;

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** What asks for the next page; absent on the last one. */
  readonly next?: string;
}

/** Milliseconds since 1970 (up to the year 2286) and a client_id. */
const CURSOR = /^(\d{1,13}) ([\x20-\x7e]{1,255})$/;

/** A position in text form that callers hand back as it is. */
export function toCursor({ createdAt, clientId }: PagePosition): string {
  return Buffer.from(`${createdAt.getTime()} ${clientId}`).toString('base64url');
}

/** @throws {InvalidCursorError} */
export function fromCursor(cursor: string): PagePosition {
  const [, milliseconds, clientId] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (clientId === undefined) throw new InvalidCursorError();
  return { createdAt: new Date(Number(milliseconds)), clientId };
}
