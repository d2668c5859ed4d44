/** Runs of one kind of characters, per character: random text has many short ones, words few long ones. */
const MIN_RUNS = 0.4;

/** True for text of lower and upper case and digits that often change. */
export function isMixed(text: string): boolean {
  const runs = (text.match(/[A-Z]?[a-z]+|[A-Z]+|\d+|[^A-Za-z\d]+/g) ?? []).length;
  return [/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(text)) && runs / text.length >= MIN_RUNS;
}

/** Random text of base64 begins with a slash as well; so much of it is longer than the names in paths. */
const MIN_RANDOM = 16;

/** True for the path of a file: absolute, or relative to the current or home folder. */
export function isPath(value: string): boolean {
  if (!/^(~|\.{0,2})\/[\w./@{}$-]+$/.test(value)) return false;
  return value.includes('.') || value.length < MIN_RANDOM || !isMixed(value);
}
