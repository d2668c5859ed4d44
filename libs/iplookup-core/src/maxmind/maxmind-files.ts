import { optionMessage, type OptionMessage } from '../messages/option-message.js';

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
 * @param languages of the names that are wanted
 * @returns why there are none, or not all
 */
export function findMaxmindFiles(
  paths: readonly string[],
  languages: readonly string[],
): MaxmindFiles | string | OptionMessage {
  const found = paths.flatMap(recognise);
  const blocks = found
    .filter(({ part }) => part.startsWith('Blocks'))
    .sort((a, b) => (a.part < b.part ? -1 : 1));
  const [first] = blocks;
  if (first === undefined)
    return 'holds none of MaxMind’s files, such as GeoLite2-City-Blocks-IPv4.csv: MaxMind offers each database as CSV and as a lookup file, which needs no conversion';
  const { database } = first;
  const twice = blocks.find(({ part }, index) => part === blocks[index + 1]?.part);
  const other = blocks.find((block) => block.database !== database) ?? twice;
  if (other !== undefined)
    return `holds more than one database, ${first.path} and ${other.path}: unpack the one you want`;
  const own = found.filter((file) => file.database === database);
  const locations = new Map(
    own.flatMap(({ language, path }) => (language === undefined ? [] : [[language, path]])),
  );
  const missing = languages.find((language) => locations.size > 0 && !locations.has(language));
  if (missing !== undefined)
    return optionMessage`has no names for ${{ option: 'language', value: missing }}: use one of ${[...locations.keys()].sort().join(', ')}`;
  return {
    database,
    blocks: blocks.map(({ path }) => path),
    locations,
    isp: own.find(({ part }) => part === 'ISP')?.path,
  };
}

function recognise(path: string): Found[] {
  const groups = NAME.exec(path.replace(/^.*[/\\]/, ''))?.groups;
  if (groups === undefined || /(^|\/)(__MACOSX\/|\.)/.test(path)) return [];
  return [{ path, database: groups['database']!, part: groups['part']!, language: groups['language'] }];
}
