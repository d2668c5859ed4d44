import type { CommanderConfig, LibrarySettings } from '../config/commander-config.js';
import { CommanderError } from '../errors/commander-error.js';

type Libraries = Pick<CommanderConfig, 'libraries'>;

/**
 * The library that a command is for: the one with that name; without a name the unnamed one, or the only one.
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
      ? `several libraries are configured: pass the name of one, as in "svccmd library status <name>": ${names}`
      : `no library has the name ${JSON.stringify(name)}; configured: ${names || 'none with a name'}`,
  );
}

/** Of `[library] [other]`: a single word is a library if one has that name, otherwise the other argument. */
export function splitWords(
  { libraries }: Libraries,
  first: string | undefined,
  second: string | undefined,
): { readonly name?: string | undefined; readonly other?: string | undefined } {
  if (second !== undefined) return { name: first, other: second };
  const isName = first !== undefined && libraries.some(({ name }) => name === first);
  return isName ? { name: first } : { other: first };
}
