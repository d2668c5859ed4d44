import { readBracket } from './ignore-bracket.js';

/** One line of a file in gitignore's syntax. */
export interface IgnorePattern {
  /** Starts with `!`: re-includes what it matches. */
  readonly isNegated: boolean;
  /** Ends in a slash: matches folders only. */
  readonly isForFolders: boolean;
  /** A single segment for a pattern without a slash, which matches at any depth; otherwise all, from the root. */
  readonly segments: readonly Segment[];
  readonly isAnchored: boolean;
}

/** The pattern for one name; `ANY_FOLDERS` (`**`) matches any number of names. */
export type Segment = readonly Token[] | typeof ANY_FOLDERS;
export const ANY_FOLDERS = Symbol('**');

/** A literal character, a predicate for one character, `STAR` or `ESCAPED_SLASH`. */
type Token = string | typeof STAR | ((character: string) => boolean);
const STAR = Symbol('*');
/** Separates names like a slash, but to git, `**` before it matches at least one folder. */
const ESCAPED_SLASH = '\\/';
const ANY_CHARACTER = () => true;

/**
 * Parses a line like git, ignoring case.
 *
 * @returns undefined for a comment, an empty line or a pattern that can never match
 * @see https://git-scm.com/docs/gitignore
 */
export function parseIgnorePattern(line: string): IgnorePattern | undefined {
  if (line.startsWith('#')) return undefined;
  const isNegated = line.startsWith('!');
  const text = trimEnd(isNegated ? line.slice(1) : line);
  const isForFolders = text.endsWith('/');
  const path = isForFolders ? text.slice(0, -1) : text;
  if (path === '') return undefined;
  const tokens = readTokens(path.startsWith('/') ? path.slice(1) : path);
  if (tokens === undefined) return undefined;
  return { isNegated, isForFolders, isAnchored: path.includes('/'), segments: toSegments(tokens) };
}

/** Takes time proportional to the product of both lengths: only the last star is ever backtracked to. */
export function matchesName(segment: readonly Token[], name: string): boolean {
  let at = 0;
  let star = -1;
  let starName = 0;
  for (let index = 0; index < name.length;) {
    const token = segment[at];
    if (token === STAR) {
      star = at++;
      starName = index;
    } else if (token !== undefined && matchesCharacter(token, name[index]!)) {
      at += 1;
      index += 1;
    } else if (star >= 0) {
      at = star + 1;
      index = starName += 1;
    } else return false;
  }
  while (segment[at] === STAR) at += 1;
  return at === segment.length;
}

function matchesCharacter(token: Exclude<Token, typeof STAR>, character: string): boolean {
  return typeof token === 'string' ? token === character.toLowerCase() : token(character);
}

/** Removes trailing blanks unless escaped by a backslash. */
function trimEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ' && countBackslashes(text, end - 1) % 2 === 0) end -= 1;
  return text.slice(0, end);
}

function countBackslashes(text: string, end: number): number {
  let count = 0;
  while (text[end - 1 - count] === '\\') count += 1;
  return count;
}

/** @returns undefined for a pattern that can never match: a trailing backslash or an unclosed bracket */
function readTokens(text: string): Token[] | undefined {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!;
    if (character === '*') tokens.push(STAR);
    else if (character === '?') tokens.push(ANY_CHARACTER);
    else if (character === '[') {
      const found = readBracket(text, at);
      if (found === undefined) return undefined;
      tokens.push(found.matches);
      at = found.end;
    } else if (character === '\\') {
      const next = text[(at += 1)];
      if (next === undefined) return undefined;
      tokens.push(next === '/' ? ESCAPED_SLASH : next.toLowerCase());
    } else tokens.push(character.toLowerCase());
  }
  return tokens;
}

/** `**` matches any number of folders if it is a whole segment, otherwise it acts like `*`. */
function toSegments(tokens: readonly Token[]): Segment[] {
  const segments: Segment[] = [];
  let names: Token[] = [];
  const close = (end?: Token) => {
    const isAnyFolders = names.length >= 2 && names.every((token) => token === STAR);
    if (!isAnyFolders || end === ESCAPED_SLASH)
      segments.push(names.filter((token, index) => token !== STAR || names[index - 1] !== STAR));
    if (isAnyFolders && segments.at(-1) !== ANY_FOLDERS) segments.push(ANY_FOLDERS);
    names = [];
  };
  for (const token of tokens) {
    if (token === '/' || token === ESCAPED_SLASH) close(token);
    else names.push(token);
  }
  close();
  return segments;
}
