import type { CommanderConfig, LibrarySettings, TokenSettings } from './commander-config.js';
import { destinationOf, overlap } from './destination-place.js';
import { LIBRARY_SCOPES, TOKEN_SCOPES } from './token-keys.js';

/** Reports errors that concern several settings: overlapping destinations, and tokens for libraries that do not exist. */
export function configErrors({ libraries, tokens }: CommanderConfig): string[] {
  return [...overlaps(libraries), ...tokens.flatMap((token) => tokenErrors(token, libraries))];
}

function overlaps(libraries: readonly LibrarySettings[]): string[] {
  const places = libraries.map(({ destination }) => destinationOf(destination));
  return libraries.flatMap((library, index) =>
    libraries.slice(0, index).flatMap((other, earlier) => {
      const shared = overlap(places[earlier], places[index]);
      if (shared === undefined) return [];
      return `the destinations of ${sectionOf(other)} and ${sectionOf(library)} overlap (${shared}): a load of one could remove nodes or records of the other; change destination.path of either`;
    }),
  );
}

const sectionOf = ({ name }: LibrarySettings): string =>
  name === undefined ? '[source]' : `[library:${name}]`;

function tokenErrors(
  { name, token, token_file, libraries, scopes }: TokenSettings,
  known: readonly LibrarySettings[],
): string[] {
  const section = `token:${name}`;
  const names = known.flatMap((library) => library.name ?? []);
  const foreign = libraries.filter((library) => !names.includes(library));
  const wrong = scopes.filter((scope) => !TOKEN_SCOPES.some((allowed) => allowed === scope));
  const needsLibraries = scopes.some((scope) => LIBRARY_SCOPES.some((one) => one === scope));
  return [
    ...(token === undefined && token_file === undefined
      ? [`${section}: set token, preferably in the environment, or token_file`]
      : []),
    ...(needsLibraries && libraries.length === 0
      ? [`${section}.libraries must name at least one library`]
      : []),
    ...(foreign.length > 0
      ? [
          `${section}.libraries names a library without a section [library:<name>]; configured: ${names.join(', ') || 'none'}`,
        ]
      : []),
    ...(wrong.length > 0 || scopes.length === 0
      ? [`${section}.scopes may only contain ${TOKEN_SCOPES.join(', ')}`]
      : []),
  ];
}
