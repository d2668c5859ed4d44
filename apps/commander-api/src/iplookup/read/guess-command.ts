import { existsSync } from 'node:fs';
import { type BuildGuess, guessInputFile, maxmindDatabase } from '@svc/iplookup-core';
import type { CommandContext } from '../../command-line/command-context.js';
import { withLookupErrors } from '../files/iplookup.errors.js';
import { inputPath } from '../files/lookup-paths.js';

/** `svccmd iplookup guess` */
export async function guess(context: CommandContext, file: string): Promise<void> {
  const path = inputPath(context.config(), file);
  const answer = (command: readonly string[], found: object): void =>
    context.answer({ text: command.map(quoted).join(' '), value: { command, ...found } });
  const database = path === '-' ? undefined : await withLookupErrors(async () => maxmindDatabase(path));
  if (database !== undefined) return answer(['svccmd', 'iplookup', 'from-maxmind', file], { database });
  const found = await withLookupErrors(async () => guessInputFile(path, { stdin: context.stdin }));
  const { rows, columns } = found;
  const hasPlaces = columns.includes('geoname_id') && existsSync(placesOf(path) ?? '');
  context.note(`rows read: ${rows}; columns: ${columns.join(', ')}`);
  for (const note of notesOn(found, hasPlaces)) context.note(note);
  const joins = hasPlaces ? [`${placesOf(file)}:geoname_id`] : [];
  answer(commandFor(file, found, joins), { rows, columns });
}

/** MaxMind's file of places that a file of blocks refers to. */
function placesOf(blocks: string): string | undefined {
  return BLOCKS.test(blocks) ? blocks.replace(BLOCKS, '-Locations-en.csv') : undefined;
}

const BLOCKS = /-Blocks-IPv[46]\.csv$/;

function commandFor(file: string, { kind, options }: BuildGuess, joins: readonly string[]): string[] {
  const { inputFormat, separator, header, columnNames, columnTypes = [], lookupName } = options;
  const types = columnTypes.filter(([name]) => fitsList(name)).map((pair) => pair.join('='));
  return [
    ...['svccmd', 'iplookup', `from-${kind}`, file],
    ...(inputFormat === undefined ? [] : ['-i', inputFormat]),
    ...(separator === undefined ? [] : ['-s', separator]),
    ...(header === false ? ['--no-header'] : []),
    ...joins.flatMap((join) => ['--join', join]),
    ...(types.length === 0 ? [] : ['--types', types.join(',')]),
    ...(lookupName === undefined ? [] : ['-o', lookupName]),
    // Last, because all words after it are names.
    ...(columnNames === undefined ? [] : ['--column-names', ...columnNames]),
  ];
}

/** Whether a name can be in a list of pairs as it is. A column without a type is text. */
function fitsList(name: string): boolean {
  return name === name.trim() && !/[,=]/.test(name);
}

function notesOn({ options, columns, vendor }: BuildGuess, hasPlaces: boolean): string[] {
  const unnamed = columns.filter((name) => /^value_\d+$/.test(name));
  return [
    ...(vendor === undefined
      ? []
      : [
          `a file from ${vendor}: from-vendor reads it, too, with --schema geoip2 if you want nested records`,
        ]),
    ...(options.header === false && unnamed.length > 0
      ? [`the file has no column names: give ${unnamed.join(', ')} better ones`]
      : []),
    ...(hasPlaces
      ? [
          "a file from MaxMind: from-maxmind reads the folder that contains it, and writes MaxMind's own records",
        ]
      : []),
    ...(columns.includes('geoname_id') && !hasPlaces
      ? ["geoname_id refers to the rows of MaxMind's Locations file, which has the names"]
      : []),
  ];
}

/** As a shell reads it. */
function quoted(word: string): string {
  return /^[\w./:,=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
