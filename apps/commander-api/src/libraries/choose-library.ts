import type { CommanderConfig, LibrarySettings } from '../config/commander-config.js';
import { CommanderError } from '../errors/commander-error.js';

type Libraries = Pick<CommanderConfig, 'libraries'>;

/**
 * The library with this name; without a name, the unnamed library or the only one.
 *
 * @throws {CommanderError} usage, with the names
 */
export function chooseLibrary({ libraries }: Libraries, name?: string): LibrarySettings {
  const found = libraries.find((library) => library.name === name);
  if (found) return found;
  const [only, ...others] = libraries;
  if (only && name === undefined && others.length === 0) return only;
  const names = libraries.flatMap((library) => library.name ?? []).join(', ');
  throw new CommanderError(
    'library_not_found',
    name === undefined
      ? `several libraries are configured; pass the name of one as an argument: ${names}`
      : `no library is named ${JSON.stringify(name)}; named libraries: ${names || 'none'}`,
  );
}

/** Resolves `[library] [other]`: a single word is a library if one has that name, otherwise the other argument. */
export function splitWords(
  { libraries }: Libraries,
  first: string | undefined,
  second: string | undefined,
): { readonly name?: string | undefined; readonly other?: string | undefined } {
  if (second !== undefined) return { name: first, other: second };
  const isName = first !== undefined && libraries.some(({ name }) => name === first);
  return isName ? { name: first } : { other: first };
}
