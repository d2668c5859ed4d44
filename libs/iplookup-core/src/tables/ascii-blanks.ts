const BLANKS = ' \t\r\n\v\f';

/** Whether there is an ASCII blank at this place. */
export function isBlankAt(text: string, at: number): boolean {
  return BLANKS.includes(text.charAt(at)) && at >= 0 && at < text.length;
}

/** Removes ASCII blanks only: others, in Latin-1, may be parts of UTF-8 characters. */
export function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (isBlankAt(text, start)) start++;
  while (end > start && isBlankAt(text, end - 1)) end--;
  return text.slice(start, end);
}
