/**
 * Splits a command into words as a shell does: spaces separate them unless they are in single or double quotes. Nothing else
 * is special: no variables, no backslashes.
 *
 * @returns undefined if there is no word, or a quote is open
 */
export function splitCommand(command: string): readonly [string, ...string[]] | undefined {
  if (!/^(?:[^'"]|'[^']*'|"[^"]*")*$/.test(command)) return undefined;
  const words = command.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g) ?? [];
  const [program, ...args] = words.map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));
  return program ? [program, ...args] : undefined;
}
