import { LookupOptionError } from '../messages/option-message.js';
import type { InputPlaces } from '../rows/input-places.js';
import { TableCombiner } from '../tables/table-combiner.js';
import { type InputRules, openInput } from './open-input.js';
import type { InputFile } from './open-regular-file.js';

/** Several inputs, to be read as one. */
export interface OpenTables {
  readonly input: InputFile;
  /** Where its rows come from. */
  readonly places: InputPlaces;
}

/**
 * Opens several CSV files with headers as one.
 *
 * @param separator byte between fields, in all of them
 * @throws {InputFileError} if one of them cannot be read
 * @throws {LookupInputError} on iteration, if their columns differ
 */
export async function openTables(
  paths: readonly string[],
  separator: number,
  rules: InputRules,
): Promise<OpenTables> {
  if (paths.filter((path) => path === '-').length > 1)
    throw new LookupOptionError('standard input can be read only once');
  const inputs: InputFile[] = [];
  for (const path of paths) inputs.push(await openInput(path, rules));
  return combineTables(paths.map(nameOf), inputs, separator);
}

/**
 * Reads several CSV files with headers as one.
 *
 * @param names of the files in messages
 * @throws {LookupInputError} on iteration, if they do not fit each other
 */
export function combineTables(
  names: readonly string[],
  inputs: readonly InputFile[],
  separator: number,
): OpenTables {
  const combiner = new TableCombiner(separator);
  const sizes = inputs.map(({ size }) => size ?? NaN);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return {
    input: {
      size: Number.isNaN(total) ? undefined : total,
      bytesRead: () => inputs.reduce((sum, input) => sum + input.bytesRead(), 0),
      entryName: undefined,
      content: combine(combiner, names, inputs),
    },
    places: combiner.places,
  };
}

async function* combine(
  combiner: TableCombiner,
  names: readonly string[],
  inputs: readonly InputFile[],
): AsyncGenerator<Uint8Array> {
  for (const [index, input] of inputs.entries()) {
    combiner.begin(names[index]!);
    for await (const chunk of input.content) yield combiner.push(chunk);
    yield combiner.end();
  }
}

/** The file's name in messages. */
function nameOf(path: string): string {
  return path === '-' ? 'standard input' : path.replace(/^.*[/\\]/, '');
}
