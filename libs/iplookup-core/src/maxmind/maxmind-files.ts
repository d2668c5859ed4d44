import { LookupOptionError, optionMessage } from '../messages/option-message.js';

/** The files of one of MaxMind's CSV databases, by their paths in its archive or folder. */
export interface MaxmindFiles {
  /** Such as `GeoLite2-City`. */
  readonly database: string;
  /** IPv4 before IPv6. */
  readonly blocks: readonly string[];
  /** By language; none for databases without places. */
  readonly locations: ReadonlyMap<string, string>;
  /** Enterprise has its providers in a file of their own. */
  readonly isp: string | undefined;
}

/** @see https://dev.maxmind.com/geoip/docs/databases */
const NAME =
  /^(?<database>Geo(?:IP|Lite)2?(?:-[A-Za-z]+)+?)-(?<part>Blocks-IPv[46]|Locations-(?<language>[A-Za-z]{2,3}(?:-[A-Za-z]{2,4})?)|ISP)\.csv$/;

/** Databases whose blocks refer to places. */
const WITH_PLACES = /-(City|Country|Enterprise)(-|$)/;

/** MaxMind translates names into eight languages. */
const MAX_LANGUAGES = 16;

interface Found {
  readonly path: string;
  readonly database: string;
  readonly part: string;
  readonly language: string | undefined;
}

/**
 * Finds the files of a MaxMind database among others, such as licences.
 *
 * @param paths relative to the archive or folder
 * @returns why there are none, or not all
 */
export function findMaxmindFiles(paths: readonly string[]): MaxmindFiles | string {
  const found = paths.flatMap(recognise);
  const blocks = found
    .filter(({ part }) => part.startsWith('Blocks'))
    .sort((a, b) => (a.part < b.part ? -1 : 1));
  const [first] = blocks;
  if (first === undefined)
    return 'contains none of MaxMind’s files, such as GeoLite2-City-Blocks-IPv4.csv: MaxMind offers each database as CSV and as a lookup file, which needs no conversion';
  const { database } = first;
  const other = blocks.find(
    (block, index) => block.database !== database || block.part === blocks[index - 1]?.part,
  );
  if (other !== undefined)
    return `contains more than one database, ${first.path} and ${other.path}: pass an archive or a folder with one of them`;
  const own = found.filter((file) => file.database === database);
  const locations = new Map(
    own.flatMap(({ language, path }) => (language === undefined ? [] : [[language, path]])),
  );
  if (locations.size === 0 && WITH_PLACES.test(database))
    return `has no file of places, such as ${database}-Locations-en.csv: pass the archive as downloaded, or a folder with all of its files`;
  return {
    database,
    blocks: blocks.map(({ path }) => path),
    locations,
    isp: own.find(({ part }) => part === 'ISP')?.path,
  };
}

/**
 * The languages in which the names of places are stored.
 *
 * @param name of the archive or folder, for messages
 * @param wanted English if empty
 * @throws {LookupOptionError} if the database does not have them
 */
export function chooseLanguages(
  name: string,
  { database, locations }: MaxmindFiles,
  wanted: readonly string[],
): readonly string[] {
  const option = 'language';
  if (locations.size === 0) {
    if (wanted.length === 0) return [];
    throw new LookupOptionError(
      optionMessage`${name}: ${database} has no places, whose names ${{ option }} would choose: leave it out`,
    );
  }
  const languages = wanted.length === 0 ? ['en'] : [...new Set(wanted)];
  if (languages.length > MAX_LANGUAGES)
    throw new LookupOptionError(optionMessage`${{ option }} takes at most ${MAX_LANGUAGES} languages`);
  const missing = languages.find((language) => !locations.has(language));
  if (missing === undefined) return languages;
  throw new LookupOptionError(
    optionMessage`${name} has no names for ${{ option, value: missing }}: use one of ${[...locations.keys()].sort().join(', ')}`,
  );
}

function recognise(path: string): Found[] {
  const groups = NAME.exec(path.replace(/^.*[/\\]/, ''))?.groups;
  if (groups === undefined || /(^|\/)(__MACOSX\/|\.)/.test(path)) return [];
  return [{ path, database: groups['database']!, part: groups['part']!, language: groups['language'] }];
}
