import type { Command } from 'commander';

/**
 * The words to be parsed: all of them, but where help of a command is asked for that is not there, only those up to its
 * name. The parser would print another command's help, as if all were well.
 */
export function askedWords(program: Command, argv: readonly string[]): string[] {
  const isHelp = argv.some((word) => word === '--help' || word === '-h' || word === 'help');
  if (!isHelp) return [...argv];
  const path: string[] = [];
  let command = program;
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index]!;
    if (word.startsWith('-')) {
      if (takesValue(command, word)) index += 1;
      continue;
    }
    if (word === 'help') continue;
    const next = command.commands.find((child) => child.name() === word);
    if (!next && isGroup(command)) return [...path, word];
    if (!next) break;
    path.push(word);
    command = next;
  }
  return [...argv];
}

/** It does nothing itself: what stands behind it must be one of its commands. */
function isGroup(command: Command): boolean {
  return command.commands.length > 0 && command.registeredArguments.length === 0;
}

function takesValue(command: Command, flag: string): boolean {
  return command.options.some(({ short, long, required }) => required && (flag === short || flag === long));
}
