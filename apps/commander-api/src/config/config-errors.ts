import type { CommanderConfig, LibrarySettings, TokenSettings } from './commander-config.js';
import { destinationOf, overlap } from './destination-place.js';
import { LIBRARY_SCOPES } from './token-keys.js';

/** Reports what no single setting shows: libraries that would overwrite each other, tokens for libraries that do not exist. */
export function configErrors({ libraries, tokens }: CommanderConfig): string[] {
  return [...overlaps(libraries), ...tokens.flatMap((token) => tokenErrors(token, libraries))];
}

function overlaps(libraries: readonly LibrarySettings[]): string[] {
  const places = libraries.map(({ destination }) => destinationOf(destination));
  return libraries.flatMap((library, index) =>
    libraries.slice(0, index).flatMap((other, earlier) => {
      const shared = overlap(places[earlier], places[index]);
      if (shared === undefined) return [];
      return `${sectionOf(other)} and ${sectionOf(library)} have the same destination, ${shared}, or one lies within the other: each load would remove the other's nodes; set another destination.path`;
    }),
  );
}

const sectionOf = ({ name }: LibrarySettings): string =>
  name === undefined ? '[source] with [destination]' : `[library:${name}]`;

function tokenErrors(
  { name, token, token_file, libraries, scopes }: TokenSettings,
  known: readonly LibrarySettings[],
): string[] {
  const section = `token:${name}`;
  const names = known.flatMap((library) => library.name ?? []);
  const foreign = libraries.filter((library) => !names.includes(library));
  const wrong = scopes.filter((scope) => !LIBRARY_SCOPES.some((allowed) => allowed === scope));
  return [
    ...(token === undefined && token_file === undefined
      ? [`${section}: set token, preferably in the environment, or token_file`]
      : []),
    ...(libraries.length === 0 ? [`${section}.libraries must name at least one library`] : []),
    ...(foreign.length > 0
      ? [
          `${section}.libraries has names that no section [library:<name>] has; known: ${names.join(', ') || 'none'}`,
        ]
      : []),
    ...(wrong.length > 0 || scopes.length === 0
      ? [`${section}.scopes must be of ${LIBRARY_SCOPES.join(', ')}`]
      : []),
  ];
}
