import {
  type BuildOptions,
  type BuildRequest,
  type InputFormatName,
  LookupOptionError,
  type OverlapRule,
} from '@svc/iplookup-core';
import type { Environment } from '@svc/foundation/config';
import { CommanderError } from '../../errors/commander-error.js';
import { type GuardFlags, withoutGuards } from './guard-flags.js';

/** What a lookup is built from: CSV files, a vendor's CSV file, or one of MaxMind's databases. */
export type BuildKind = BuildOptions['kind'] | 'maxmind';

/** The options of `from-csv`, `from-vendor` and `from-maxmind`, as parsed by the command line. */
export interface BuildFlags extends GuardFlags {
  readonly inputIpFormat?: InputFormatName;
  readonly gzip?: boolean;
  readonly separator?: string;
  readonly lookupName?: string;
  readonly zoneName?: string;
  readonly header?: boolean;
  readonly columnNames?: readonly string[];
  readonly keepEmptyRows?: boolean;
  readonly emptyRows?: 'all' | 'any';
  readonly schema?: 'flat' | 'geoip2';
  /** Separated by commas, or a list. */
  readonly dropColumns?: string | readonly string[];
  readonly keepColumns?: string | readonly string[];
  /** Pairs such as `country=country_code`, separated by commas, or a list. */
  readonly rename?: string | readonly string[];
  /** Pairs such as `source=dbip`. */
  readonly set?: readonly string[];
  /** Languages such as `en`, separated by commas or blanks, or a list. */
  readonly language?: string | readonly string[];
  /** Such as `Locations.csv:geoname_id`; see `parseJoin`. */
  readonly join?: readonly string[];
  readonly includeIpRange?: boolean;
  readonly forceIpv4?: boolean;
  /** Whether known columns are numbers, or pairs such as `asn=uint32`. */
  readonly types?: boolean | string | readonly string[];
  readonly skipInvalid?: boolean;
  readonly strict?: boolean;
  readonly overlap?: OverlapRule;
  readonly buildEpoch?: number;
  /** How many threads a build may use. */
  readonly threads?: number;
}

/** The options of `verify`. */
export interface VerifyFlags extends BuildFlags {
  readonly against?: string;
  readonly vendor?: boolean;
}

/** Converts the flags to the builder's options; absent ones stay absent. */
export function toBuildOptions(
  kind: BuildKind,
  flags: BuildFlags,
  buildEpoch: number,
): BuildOptions & Pick<BuildRequest, 'languages'> & { gzip: boolean } {
  const { inputIpFormat, zoneName, gzip, dropColumns, keepColumns, rename, set, types, ...others } =
    withoutGuards(flags);
  const { join, language = [], threads, ...same } = others;
  const lookupName = flags.lookupName ?? zoneName;
  return {
    ...same,
    ...(kind === 'maxmind' ? { kind: 'csv', languages: splitList(language, /[\s,]+/) } : { kind }),
    gzip: gzip ?? false,
    buildEpoch: flags.buildEpoch ?? buildEpoch,
    ...(dropColumns === undefined ? {} : { dropColumns: splitList(dropColumns) }),
    ...(keepColumns === undefined ? {} : { keepColumns: splitList(keepColumns) }),
    ...(rename === undefined ? {} : { rename: toPairs('rename', splitList(rename)) }),
    ...(set === undefined ? {} : { set: toPairs('set', set) }),
    ...typeOptions(types),
    ...(inputIpFormat === undefined ? {} : { inputFormat: inputIpFormat }),
    ...(lookupName === undefined ? {} : { lookupName }),
  };
}

/**
 * The build time of lookups: `SOURCE_DATE_EPOCH`, so that the same input gives the same file, else now.
 *
 * @returns seconds since 1970
 * @see https://reproducible-builds.org/specs/source-date-epoch/
 */
export function buildEpoch(environment: Environment, now: number): number {
  const given = environment['SOURCE_DATE_EPOCH'];
  if (given === undefined || given === '') return Math.floor(now / 1000);
  if (!/^\d{1,12}$/.test(given)) {
    throw new CommanderError('configuration', 'SOURCE_DATE_EPOCH must be a number of seconds since 1970');
  }
  return Number(given);
}

function typeOptions(types: BuildFlags['types']): Pick<BuildOptions, 'types' | 'columnTypes'> {
  if (types === undefined) return {};
  if (typeof types === 'boolean') return { types };
  return { columnTypes: toPairs('types', splitList(types)) };
}

/** @throws {LookupOptionError} for what is not a pair */
function toPairs(option: string, pairs: readonly string[]): (readonly [string, string])[] {
  return pairs.map((pair) => {
    const at = pair.indexOf('=');
    if (at > 0 && at < pair.length - 1) return [pair.slice(0, at), pair.slice(at + 1)];
    const message = ` takes pairs such as ${PAIRS[option]!}, but ${JSON.stringify(pair)} is not one`;
    throw new LookupOptionError([{ option }, message]);
  });
}

const PAIRS: Readonly<Record<string, string>> = {
  rename: 'country=country_code',
  set: 'source=dbip',
  types: 'asn=uint32',
};

/** The parts of a text, without the blanks around them. Entries of a list stay as they are: names may contain separators. */
export function splitList(
  list: string | readonly string[],
  separator: string | RegExp = ',',
): readonly string[] {
  if (typeof list !== 'string') return list;
  return list.split(separator).flatMap((part) => part.trim() || []);
}

/** `--types` takes pairs or no value; if the next word is not a pair, it is the file name. */
export function splitTypes(
  file: string | undefined,
  types: BuildFlags['types'],
): { file: string | undefined; types: BuildFlags['types'] } {
  if (typeof types !== 'string' || types.includes('=') || file !== undefined) return { file, types };
  return { file: types, types: true };
}

/**
 * Separates column names from the file name: they are words after the file name, or one quoted string, which may also
 * precede the file name and then swallows it.
 */
export function splitColumnNames(
  file: string | undefined,
  words: readonly string[] | undefined,
): { file: string | undefined; columnNames: readonly string[] | undefined } {
  if (words === undefined) return { file, columnNames: undefined };
  const [names, swallowed] =
    file === undefined && words.length === 2 ? [words.slice(0, 1), words[1]] : [words, file];
  return { file: swallowed, columnNames: names.flatMap((text) => splitList(text, /\s+/)) };
}
