import { INPUT_FORMATS, type InputFormat, type InputFormatName } from '../address/input-format.js';
import { LookupOptionError, type OptionMention, optionMessage } from '../messages/option-message.js';
import { type VendorDatabase, vendorDatabase } from '../vendor/vendor-file-name.js';
import type { NamedValue, Schema } from '../schema/record-layout.js';
import { COLUMN_TYPES, type ColumnType } from '../values/column-type.js';
import type { BuildOptions } from './build-options.js';
import type { BuildPlan, EmptyRowRule } from './build-plan.js';
import { chooseColumns, unknownName } from './choose-columns.js';
import { firstDuplicate } from '../schema/first-duplicate.js';

const DASH = 45;

const LOOKUP_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const FILE_ENDING = /\.mmdb(\.gz)?$/i;

/** Whether a lookup can have this name; its file has an ending in addition. */
export function isLookupName(name: string): boolean {
  return LOOKUP_NAME.test(name) && !FILE_ENDING.test(name);
}

/** The default lookup name: the file's base name without `.zip`, `.gz` and `.csv`, or the endings of lists. */
function defaultLookupName(fileName: string, inputFormat?: InputFormatName): string {
  return fileName
    .replace(/^.*[/\\]/, '')
    .replace(/\.zip$/i, '')
    .replace(/\.gz$/i, '')
    .replace(inputFormat === 'networks' ? /\.(csv|json|txt|netset|ipset|list)$/i : /\.csv$/i, '');
}

/**
 * Fills in all defaults, including those derived from vendor file names.
 *
 * @param fileName the input's name, or `-`
 * @param entryName the name of the CSV file in an archive
 * @throws {LookupOptionError}
 */
export function planBuild(fileName: string, options: BuildOptions, entryName?: string): BuildPlan {
  const known = options.kind === 'vendor' ? databaseOf(fileName, entryName) : undefined;
  const format = chooseFormat(fileName, options, known);
  const vendor = options.kind === 'vendor';
  const separator = separatorByte(options.separator ?? ',');
  if (separator === DASH && ['auto', 'cidr', 'networks'].includes(format.name)) {
    throw new LookupOptionError(
      `the separator "-" cannot be used with the input format ${format.name}, where it separates the two ends of a range`,
    );
  }
  const lookupName = chooseName(fileName, options);
  const database = options.columnNames === undefined ? known?.code : undefined;
  return {
    file: fileName === '-' ? 'standard input' : fileName.replace(/^.*[/\\]/, ''),
    format,
    choice: [...INPUT_FORMATS.values()].filter((other) => !vendor || other.vendor),
    separator,
    columns: chooseColumns(fileName, options, known, format),
    ...(database === undefined ? {} : { database }),
    dashIsEmpty: vendor,
    noValues: new Map(),
    dropEmptyRows: emptyRowRule(options),
    keepEmptyCells: vendor && options.keepEmptyRows === true,
    typed: options.types ?? vendor,
    schema: chooseSchema(options),
    databaseType: options.databaseType,
    ...chooseStored(options),
    joins: options.joins ?? [],
    includeIpRange: options.includeIpRange ?? false,
    forceIpv4: options.forceIpv4 ?? false,
    skipInvalid: options.skipInvalid ?? false,
    ...chooseOverlap(options),
    lookupName,
    description: vendor
      ? `${lookupName}: IP lookup with IP2Location data, https://www.ip2location.com`
      : `${lookupName}: IP lookup`,
    buildEpoch: options.buildEpoch,
  };
}

function databaseOf(fileName: string, entryName: string | undefined): VendorDatabase | undefined {
  return vendorDatabase(fileName) ?? (entryName === undefined ? undefined : vendorDatabase(entryName));
}

function chooseFormat(
  fileName: string,
  options: BuildOptions,
  known: VendorDatabase | undefined,
): InputFormat {
  const { kind, inputFormat, forceIpv4 } = options;
  if (kind === 'vendor' && inputFormat === undefined && known === undefined) throw unknownName(fileName);
  const inferred = known?.cidr ? 'cidr' : known?.family === 6 ? 'ipv6-int' : 'ipv4-int';
  const name = inputFormat ?? (kind === 'csv' ? 'ipv6' : inferred);
  const format = INPUT_FORMATS.get(name);
  if (format === undefined)
    throw new LookupOptionError(`${name} is not an input format; use one of ${formatNames()}`);
  if (forceIpv4 && kind === 'csv' && (name === 'ipv6' || name === 'ipv6-int')) {
    const remedy =
      inputFormat === undefined
        ? optionMessage`pass ${{ option: 'inputFormat', value: 'ipv4' }} or ${{ option: 'inputFormat', value: 'ipv4-int' }}`
        : 'leave one of them out';
    throw new LookupOptionError(
      optionMessage`${{ option: 'forceIpv4' }} cannot be used with the input format ${name}: ${remedy}`,
    );
  }
  return format;
}

function formatNames(): string {
  return [...INPUT_FORMATS.keys()].join(', ');
}

/** MaxMind's records support only the columns of its databases. */
function chooseSchema(options: BuildOptions): Schema {
  const { schema, includeIpRange, keepEmptyRows, types, columnTypes = [] } = options;
  if (schema !== 'geoip2') return 'flat';
  const why: readonly [boolean, OptionMention, string][] = [
    [
      includeIpRange === true,
      { option: 'includeIpRange' },
      'its records have no place for addresses, and readers report the network',
    ],
    [keepEmptyRows === true, { option: 'keepEmptyRows' }, 'its records omit unknown values'],
    [types === false, { option: 'types', value: false }, 'it determines the types itself'],
    [columnTypes.length > 0, { option: 'types' }, 'it determines the types itself'],
  ];
  const [, option, reason] = why.find(([given]) => given) ?? [];
  if (option === undefined) return schema;
  throw new LookupOptionError(
    optionMessage`${option} cannot be combined with ${{ option: 'schema', value: schema }}: ${reason!}`,
  );
}

function chooseStored({
  dropColumns = [],
  keepColumns,
  rename = [],
  columnTypes = [],
  set = [],
}: BuildOptions) {
  if (keepColumns !== undefined && dropColumns.length > 0) {
    throw new LookupOptionError(
      optionMessage`${{ option: 'keepColumns' }} cannot be combined with ${{ option: 'dropColumns' }}`,
    );
  }
  refuseTwice('rename', rename);
  refuseTwice('types', columnTypes);
  return { dropColumns, keepColumns, rename, columnTypes: columnTypes.map(knownType), set };
}

function refuseTwice(option: string, pairs: readonly NamedValue[]): void {
  const twice = firstDuplicate(pairs.map(([name]) => name));
  if (twice !== undefined) throw new LookupOptionError(optionMessage`${{ option }} has ${twice} twice`);
}

function knownType([column, name]: NamedValue): NamedValue<ColumnType> {
  const type = COLUMN_TYPES.find((known) => known === name);
  if (type !== undefined) return [column, type];
  throw new LookupOptionError(
    optionMessage`${{ option: 'types' }} gives ${column} the type ${JSON.stringify(name)}: use one of ${COLUMN_TYPES.join(', ')}`,
  );
}

function chooseOverlap({
  strict = false,
  overlap,
}: BuildOptions): Pick<BuildPlan, 'overlap' | 'overlapOption'> {
  if (!strict) return { overlap: overlap ?? 'later', overlapOption: { option: 'overlap', value: 'error' } };
  const overlapOption = { option: 'strict' };
  if (overlap === undefined || overlap === 'error') return { overlap: 'error', overlapOption };
  throw new LookupOptionError(
    optionMessage`${overlapOption} cannot be combined with ${{ option: 'overlap', value: overlap }}`,
  );
}

function emptyRowRule({ kind, keepEmptyRows, emptyRows }: BuildOptions): EmptyRowRule {
  if (!keepEmptyRows) return emptyRows ?? (kind === 'csv' ? 'none' : 'all');
  if (emptyRows !== undefined)
    throw new LookupOptionError(
      optionMessage`${{ option: 'keepEmptyRows' }} cannot be combined with ${{ option: 'emptyRows' }}`,
    );
  return 'none';
}

function separatorByte(text: string): number {
  if (text === 'tab' || text === '\\t' || text === '\t') return 9;
  const byte = text.charCodeAt(0);
  if (text.length === 1 && byte >= 32 && byte < 127 && !/[0-9A-Za-z".:/]/.test(text)) return byte;
  throw new LookupOptionError(
    `the separator ${JSON.stringify(text)} is not valid: use one character such as , or ; or the word tab`,
  );
}

function chooseName(fileName: string, { lookupName, inputFormat }: BuildOptions): string {
  if (lookupName === undefined && fileName === '-') {
    throw new LookupOptionError(optionMessage`standard input has no name: pass ${{ option: 'lookupName' }}`);
  }
  const name = lookupName ?? defaultLookupName(fileName, inputFormat);
  if (isLookupName(name)) return name;
  const remedy = lookupName === undefined ? optionMessage`: pass ${{ option: 'lookupName' }}` : '';
  if (FILE_ENDING.test(name))
    throw new LookupOptionError(
      optionMessage`${JSON.stringify(name)} is not a valid lookup name: leave out the ending .mmdb, which is added${remedy}`,
    );
  throw new LookupOptionError(
    optionMessage`${JSON.stringify(name)} is not a valid lookup name: use letters, digits, ".", "_" and "-", at most 128, starting with a letter or digit${remedy}`,
  );
}
