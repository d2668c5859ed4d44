import { readBracket } from './ignore-bracket.js';

/** One line of a file in gitignore's syntax. */
export interface IgnorePattern {
  /** It begins with `!`: what it matches is wanted after all. */
  readonly isNegated: boolean;
  /** It ends in a slash: it is for folders alone. */
  readonly isForFolders: boolean;
  /** Of names without a slash, which may lie at any depth, one; otherwise from the root on. */
  readonly segments: readonly Segment[];
  readonly isAnchored: boolean;
}

/** What one name of a path is matched with; `ANY_FOLDERS` for `**`, which is any number of names. */
export type Segment = readonly Token[] | typeof ANY_FOLDERS;
export const ANY_FOLDERS = Symbol('**');

/** A character, or what one character is matched with; `STAR` for any number of them. */
type Token = string | typeof STAR | ((character: string) => boolean);
const STAR = Symbol('*');
const ANY_CHARACTER = () => true;

/**
 * Reads a line as git does, regardless of case.
 *
 * @returns undefined for a comment, an empty line, and a pattern that matches nothing
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

/** Matches a name in the time of its length times that of the segment: after a star only the last one is tried again. */
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

/** Blanks at the end do not count unless a backslash stands before them. */
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

/** @returns undefined for a pattern that matches nothing: a backslash at its end, a bracket that is not closed */
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
      tokens.push(next.toLowerCase());
    } else tokens.push(character.toLowerCase());
  }
  return tokens;
}

/** `**` is any number of folders where it is a whole name, and a star otherwise. */
function toSegments(tokens: readonly Token[]): Segment[] {
  const segments: Segment[] = [];
  let names: Token[] = [];
  const close = () => {
    const isAnyFolders = names.length >= 2 && names.every((token) => token === STAR);
    if (!isAnyFolders)
      segments.push(names.filter((token, index) => token !== STAR || names[index - 1] !== STAR));
    else if (segments.at(-1) !== ANY_FOLDERS) segments.push(ANY_FOLDERS);
    names = [];
  };
  for (const token of tokens) {
    if (token === '/') close();
    else names.push(token);
  }
  close();
  return segments;
}
