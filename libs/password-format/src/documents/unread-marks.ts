import { type DocumentError, type Edit, LineIndex, type Mark } from './document-scalar.js';
import type { DocumentFormat } from './read-document.js';

/** An encrypted password begins like one, so that other texts may name its mark. */
const MARKS: Readonly<Record<Mark, RegExp>> = {
  'encpwd-plain': /!encpwd-plain(?!\S)/g,
  encpwd: /!encpwd(?=\s+["']?(?:eyJ|\{))/g,
};

/** What begins a comment, in a line up to the mark. */
const COMMENTS: Readonly<Record<DocumentFormat, RegExp | undefined>> = {
  yaml: /(?:^|\s)#/,
  json: undefined,
  ini: /^\s*[#;]|\s[#;]\s/,
  properties: /^\s*[#!]/,
};

/** Text before a mark that was meant to precede a value; a mark in prose follows words. */
const VALUE_BEGINS = /(?:^|[:=,[{?-])\s*(?:&\S+\s+)?["']?$/;

/** How much of a line is looked at in front of the mark: a line may be a whole file. */
const MAX_BEFORE = 500;

/** Between a tag of YAML and its value. */
const NOTHING = /^(?:\s|&\S+(?!\S)|#[^\n]*\n)*$/;

const CONSEQUENCES: Readonly<Record<Mark, string>> = {
  'encpwd-plain': 'the password after it would stay in plain text',
  encpwd: 'the password after it would keep its key',
};

/**
 * Finds marks that are neither those of the values read nor in comments: on a key, in a text within a value, or unreadable.
 *
 * @param values edits of the marked values, in their order
 */
export function unreadMarks(
  text: string,
  format: DocumentFormat,
  mark: Mark,
  values: readonly Edit[],
): DocumentError[] {
  const offsets: number[] = [];
  let index = 0;
  for (const { 0: found, index: start } of text.matchAll(MARKS[mark])) {
    while ((values[index]?.end ?? text.length) <= start) index += 1;
    const next = values[index];
    if (next && (next.start <= start || NOTHING.test(text.slice(start + found.length, next.start)))) continue;
    const [before = ''] = /[^\r\n]*$/.exec(text.slice(Math.max(0, start - MAX_BEFORE), start)) ?? [];
    if (VALUE_BEGINS.test(before) && !COMMENTS[format]?.test(before)) offsets.push(start);
  }
  if (offsets.length === 0) return [];
  const lines = new LineIndex(text);
  const message = `this !${mark} does not mark a value, so ${CONSEQUENCES[mark]}; put it directly in front of a value, and quotes after it: !${mark} "..."`;
  return offsets.map((offset) => ({ line: lines.lineOf(offset), message }));
}
