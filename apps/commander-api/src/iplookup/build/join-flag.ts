import { type JoinFile, LookupOptionError } from '@svc/iplookup-core';

/** A file to join, by its name. */
export type NamedJoin = Omit<JoinFile, 'path'>;

/** The file, its key, the column that refers to it, and a prefix. */
const JOIN = /^(.+?):([^:=]+)(?:=([^:=]+))?(?::([^:]*))?$/;

/**
 * Parses `Locations.csv:geoname_id`, or with the column that refers to it and a prefix for the added columns:
 * `Locations.csv:geoname_id=registered_country_geoname_id:registered_`.
 *
 * @throws {LookupOptionError}
 */
export function parseJoin(text: string): NamedJoin {
  const [, name, column, rowColumn = column, prefix = ''] = JOIN.exec(text) ?? [];
  if (name !== undefined && column !== undefined) return { name, column, rowColumn: rowColumn!, prefix };
  const message = ` takes a file and its key, such as Locations.csv:geoname_id, but ${JSON.stringify(text)} is not that`;
  throw new LookupOptionError([{ option: 'join' }, message]);
}
