/**
 * What could move the cursor, recolour or reorder a terminal's text: C0 and C1 controls but tab and line feed, DEL, the
 * line and paragraph separators, and the bidirectional formatting characters (Unicode UAX #9, table 1).
 */
const UNSAFE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Text of files and names made safe to print: each unsafe character as `\uXXXX`, which JSON reads back. */
export function escapeControls(text: string): string {
  return text.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The same for what must stay one line: line feeds and tabs are escaped as well. */
export function escapeLine(text: string): string {
  return escapeControls(text.replaceAll('\n', '\\n').replaceAll('\t', '\\t'));
}

/** `1 file`, `2 files`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
