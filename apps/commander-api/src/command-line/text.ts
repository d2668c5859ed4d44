/**
 * Characters that could move the cursor, change colors or reorder text on a terminal: C0 and C1 controls except tab and
 * line feed, DEL, line and paragraph separators, and bidirectional formatting characters (Unicode UAX #9, table 1).
 */
const UNSAFE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Makes text safe to print: each unsafe character becomes `\uXXXX`, which JSON can read back. */
export function escapeControls(text: string): string {
  return text.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Like {@link escapeControls}, but also escapes line feeds and tabs, so that the text stays on one line. */
export function escapeLine(text: string): string {
  return escapeControls(text.replaceAll('\n', '\\n').replaceAll('\t', '\\t'));
}

/** `1 file`, `2 files`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
