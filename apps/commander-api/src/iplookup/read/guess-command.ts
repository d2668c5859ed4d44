import { type BuildGuess, guessInputFile } from '@svc/iplookup-core';
import type { CommandContext } from '../../command-line/command-context.js';
import { withLookupErrors } from '../files/iplookup.errors.js';
import { inputPath } from '../files/lookup-paths.js';

/** `svccmd iplookup guess` */
export async function guess(context: CommandContext, file: string): Promise<void> {
  const path = inputPath(context.config(), file);
  const found = await withLookupErrors(async () => guessInputFile(path, { stdin: context.stdin }));
  const words = commandFor(file, found);
  const { rows, columns } = found;
  context.note(`rows read: ${rows}; columns: ${columns.join(', ')}`);
  for (const note of notesOn(found)) context.note(note);
  context.answer({ text: words.map(quoted).join(' '), value: { command: words, rows, columns } });
}

function commandFor(file: string, { kind, options }: BuildGuess): string[] {
  const { inputFormat, separator, header, columnNames, columnTypes, lookupName } = options;
  return [
    ...['svccmd', 'iplookup', `from-${kind}`, file],
    ...(inputFormat === undefined ? [] : ['-i', inputFormat]),
    ...(separator === undefined ? [] : ['-s', separator]),
    ...(header === false ? ['--no-header'] : []),
    ...(columnTypes === undefined ? [] : ['--types', columnTypes.map((pair) => pair.join('=')).join(',')]),
    ...(lookupName === undefined ? [] : ['-o', lookupName]),
    // Last, because all words after it are names.
    ...(columnNames === undefined ? [] : ['--column-names', ...columnNames]),
  ];
}

function notesOn({ options, columns, vendor }: BuildGuess): string[] {
  const unnamed = columns.filter((name) => /^value_\d+$/.test(name));
  return [
    ...(vendor === undefined
      ? []
      : [`a file of ${vendor}: from-vendor reads it, too, also with --schema geoip2`]),
    ...(options.header === false && unnamed.length > 0
      ? [`the file has no column names: give ${unnamed.join(', ')} better ones`]
      : []),
    ...(columns.includes('geoname_id')
      ? ["geoname_id refers to the rows of MaxMind's Locations file, which has the names"]
      : []),
  ];
}

/** As a shell reads it. */
function quoted(word: string): string {
  return /^[\w./:,=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
