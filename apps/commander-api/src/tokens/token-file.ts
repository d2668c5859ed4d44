import { createHash } from 'node:crypto';
import { isJsonObject } from '@svc/foundation';
import { COMMANDER_SCOPES, type CommanderScope, type Reach } from '../access/caller.js';
import { NAME_PATTERN } from '../config/named-sections.js';

/** An API token as the file has it: its hash instead of its value. Times are ISO 8601. */
export interface StoredToken {
  /** Twelve hexadecimal digits. */
  readonly id: string;
  readonly name: string;
  /** Hash of the value, in hexadecimal: the value has 256 random bits, so a slow hash would add nothing. */
  readonly sha256: string;
  readonly scopes: readonly CommanderScope[];
  readonly libraries: Reach;
  readonly lookups: Reach;
  readonly created_at: string;
  /** `user@host` */
  readonly created_by: string;
  readonly expires_at?: string;
  readonly revoked_at?: string;
  readonly revoked_by?: string;
}

/** Tokens of a file, ended ones included. */
export const MAX_TOKENS = 1000;

/** Names of libraries or lookups of one token. */
export const MAX_NAMES = 100;

const VERSION = 1;

export const TOKEN_NAME = new RegExp(`^${NAME_PATTERN}$`);

/** As of a lookup, without the ending of its file. */
export const isLookupName = (name: string): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(name) && !/\.mmdb(\.gz)?$/.test(name);

export function hashToken(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}

/** Whether a token may still be used. */
export function stateOf(token: StoredToken, nowMs: number): 'valid' | 'expired' | 'revoked' {
  if (token.revoked_at !== undefined) return 'revoked';
  return token.expires_at !== undefined && Date.parse(token.expires_at) <= nowMs ? 'expired' : 'valid';
}

/** The file cannot be used. Completes "cannot be used: …"; has no content of the file. */
export class InvalidTokenFileError extends Error {
  override readonly name = 'InvalidTokenFileError';
}

/**
 * @param text empty for a file that was just created
 * @throws {InvalidTokenFileError}
 */
export function parseTokenFile(text: string): StoredToken[] {
  if (text === '') return [];
  const { version, tokens } = toRecord(parse(text), 'the file');
  if (version !== VERSION) throw new InvalidTokenFileError(`its version is not ${VERSION}`);
  if (!Array.isArray(tokens) || tokens.length > MAX_TOKENS)
    throw new InvalidTokenFileError(`it must have a list of at most ${MAX_TOKENS} tokens`);
  const found = tokens.map((token, index) => toToken(toRecord(token, `token ${index + 1}`), index));
  const ids = new Set(found.flatMap(({ id, sha256 }) => [id, sha256]));
  if (ids.size < 2 * found.length) throw new InvalidTokenFileError('two tokens have the same id or hash');
  return found;
}

export function tokenFileText(tokens: readonly StoredToken[]): string {
  return `${JSON.stringify({ version: VERSION, tokens }, undefined, 2)}\n`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InvalidTokenFileError('it is not JSON', { cause: error });
  }
}

type Members = Readonly<Record<string, unknown>>;

function toRecord(value: unknown, what: string): Members {
  if (isJsonObject(value)) return value;
  throw new InvalidTokenFileError(`${what} is not an object`);
}

/** Members of a token, and what each may be. An unknown member may be a restriction of a later version. */
const MEMBERS: Readonly<Record<keyof StoredToken, (value: unknown) => boolean>> = {
  id: (value) => matches(value, /^[0-9a-f]{12}$/),
  name: (value) => matches(value, TOKEN_NAME),
  sha256: (value) => matches(value, /^[0-9a-f]{64}$/),
  scopes: (value) => isListOf(value, (scope) => COMMANDER_SCOPES.some((known) => known === scope)),
  libraries: (value) => isReach(value, (name) => TOKEN_NAME.test(name)),
  lookups: (value) => isReach(value, isLookupName),
  created_at: isTime,
  created_by: (value) => typeof value === 'string',
  expires_at: (value) => value === undefined || isTime(value),
  revoked_at: (value) => value === undefined || isTime(value),
  revoked_by: (value) => value === undefined || typeof value === 'string',
};

function toToken(members: Members, index: number): StoredToken {
  const known = Object.entries(MEMBERS);
  const invalid = known.find(([name, isValid]) => !isValid(members[name]))?.[0];
  if (invalid !== undefined) throw new InvalidTokenFileError(`${invalid} of token ${index + 1} is invalid`);
  if (Object.keys(members).some((name) => !Object.hasOwn(MEMBERS, name)))
    throw new InvalidTokenFileError(`token ${index + 1} has an unknown member`);
  return members as unknown as StoredToken;
}

function matches(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(value);
}

function isTime(value: unknown): boolean {
  return matches(value, /^\d{4}-\d\d-\d\dT/) && !Number.isNaN(Date.parse(value as string));
}

function isReach(value: unknown, isName: (name: string) => boolean): boolean {
  return value === 'all' || isListOf(value, isName);
}

function isListOf(value: unknown, isItem: (item: string) => boolean): boolean {
  return (
    Array.isArray(value) &&
    value.length <= MAX_NAMES &&
    value.every((item) => typeof item === 'string' && isItem(item))
  );
}
