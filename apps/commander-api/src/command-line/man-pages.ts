import type { Command } from 'commander';
import type { CommandContext, CommandEntry } from './command-context.js';
import { type DocumentedCommand, documentedCommands, fullName } from './documented-commands.js';

/**
 * A manual page for the program and for every command below it, in man(7) macros.
 *
 * @param version of the program, for the footer
 * @returns texts by file name, such as `svccmd-library-load.1`
 */
export async function manPages(
  commands: readonly CommandEntry[],
  context: CommandContext,
  version: string,
): Promise<ReadonlyMap<string, string>> {
  const documented = await documentedCommands(commands, context);
  const summaries = new Map(documented.map(({ command }) => [fullName(command), summaryOf(command)]));
  return new Map(
    documented.map((each) => [`${pageName(fullName(each.command))}.1`, pageOf(each, summaries, version)]),
  );
}

const pageName = (path: string): string => path.replaceAll(' ', '-');

function pageOf(
  { command, help }: DocumentedCommand,
  summaries: ReadonlyMap<string, string>,
  version: string,
): string {
  const name = pageName(fullName(command));
  const formatter = command.createHelp();
  const below = formatter.visibleCommands(command).flatMap((child) => {
    const path = `${fullName(command)} ${child.name()}`;
    return summaries.has(path) ? [path] : [];
  });
  const items = (title: string, rows: readonly (readonly [term: string, text: string])[]): string[] =>
    rows.length === 0 ? [] : [`.SH ${title}`, ...rows.flatMap(item)];
  return [
    `.TH "${name.toUpperCase()}" 1 "" "svccmd ${version}" "svccmd"`,
    // Long words, such as lists of values, leave gaps in justified lines.
    '.ad l',
    ...['.SH NAME', `${escape(name)} \\- ${escape(summaryOf(command))}`],
    ...['.SH SYNOPSIS', `.B ${escape(formatter.commandUsage(command))}`],
    ...['.SH DESCRIPTION', text(command.description())],
    ...items(
      'ARGUMENTS',
      described(formatter.visibleArguments(command), (argument) => [
        `<${argument.name()}>`,
        formatter.argumentDescription(argument),
      ]),
    ),
    ...items(
      'OPTIONS',
      described(formatter.visibleOptions(command), (option) => [
        option.flags,
        formatter.optionDescription(option),
      ]),
    ),
    ...items(
      'COMMANDS',
      below.map((path) => [`${pageName(path)}(1)`, summaries.get(path) ?? '']),
    ),
    ...afterwards(help.slice(command.helpInformation().length)),
    ...(command.parent ? ['.SH SEE ALSO', `.BR ${escape(pageName(fullName(command.parent)))} (1)`] : []),
    '',
  ].join('\n');
}

function described<T>(things: readonly T[], describe: (thing: T) => [string, string]): [string, string][] {
  return things.map(describe);
}

const item = ([term, description]: readonly [string, string]): string[] => [
  '.TP',
  `.B ${escape(term)}`,
  text(description),
];

/** What `--help` prints last: sections such as "Examples:", and paragraphs. */
function afterwards(help: string): string[] {
  const blocks = help
    .split(/\n{2,}/)
    .flatMap((block) => (block.trim() === '' ? [] : [block.replace(/^\n+|\s+$/g, '')]));
  let isNoted = false;
  return blocks.flatMap((block) => {
    const [, title, rest] = /^(\w[\w ]*):\n([^]+)$/.exec(block) ?? [];
    if (title !== undefined && rest !== undefined) return [`.SH ${title.toUpperCase()}`, ...asPrinted(rest)];
    const heading = isNoted ? ['.PP'] : ['.SH NOTES'];
    isNoted = true;
    return [...heading, ...(/^ /m.test(block) ? asPrinted(block) : [text(block)])];
  });
}

const asPrinted = (lines: string): string[] => ['.nf', text(lines), '.fi'];

/** A line in help, without the end of a sentence. */
function summaryOf(command: Command): string {
  return (command.summary() || command.description().split(/[.;:](?:\s|$)/)[0] || '').replace(/\.$/, '');
}

function text(lines: string): string {
  return lines.split('\n').map(escape).join('\n');
}

/** Backslashes and hyphens have a meaning everywhere, periods and quotes at the start of a line. */
function escape(line: string): string {
  return line
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&');
}
