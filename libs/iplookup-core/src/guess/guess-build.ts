import type { InputFormatName } from '../address/input-format.js';
import { LookupInputError, ViolationList } from '../build/input-violations.js';
import type { BuildOptions } from '../build/build-options.js';
import { planBuild } from '../build/plan-build.js';
import { namesRange, rangeRemedy } from '../build/range-columns.js';
import { RowReader } from '../build/row-reader.js';
import { readFileStart } from '../csv/file-start.js';
import {
  formatMessage,
  LookupOptionError,
  optionMessage,
  type OptionMessage,
} from '../messages/option-message.js';
import type { InputPlaces } from '../rows/input-places.js';
import { recogniseTable } from '../vendor/known-tables.js';
import { nearVendorDatabase, vendorDatabase } from '../vendor/vendor-file-name.js';
import { nameColumns, typeColumns } from './name-columns.js';
import { areLikelyRanges } from './likely-ranges.js';
import { nearestReading } from './nearest-reading.js';
import { sampleRows, separatorByte } from './sample-rows.js';
import { findSplit } from './split-networks.js';

/** How to build a lookup from a file, as far as its first rows tell. */
export interface BuildGuess {
  readonly kind: BuildOptions['kind'];
  /** What differs from the defaults. */
  readonly options: Pick<
    BuildOptions,
    'inputFormat' | 'separator' | 'header' | 'columnNames' | 'columnTypes' | 'lookupName'
  >;
  /** Names of the value columns. */
  readonly columns: readonly string[];
  /** Rows read, all of them valid. */
  readonly rows: number;
  /** Who publishes such files, if `from-vendor` recognises them. */
  readonly vendor?: string;
}

/** Where a sample is from. */
export interface SampleOptions {
  /** The name of the CSV file in an archive. */
  readonly entryName?: string | undefined;
  /** False if more of the file follows. Then the last row may be incomplete, if a cell contains line breaks. */
  readonly isWhole?: boolean;
}

/** The beginning of a file. */
interface Sample {
  readonly bytes: Buffer;
  readonly isWhole: boolean;
}

/** A reading of the sample without an invalid row. */
interface Reading {
  readonly options: BuildOptions;
  readonly columns: readonly string[];
  readonly rows: number;
}

const SEPARATORS = [',', ';', 'tab', '|'];

/** A number of 32 bits is also one of 128 bits, so the narrower format comes first: it wins a tie. */
const FORMATS: readonly InputFormatName[] = ['ipv4-int', 'ipv6-int', 'cidr', 'auto'];

const NO_ADDRESSES =
  'has no addresses where they should be: the first column must hold networks, or the first two the first and last address of each range';

/** Placeholder for the lookup, which is not built. */
const ANY_NAME = 'guess';

/**
 * Guesses the options for a CSV file. A guess must read all rows of the sample with the builder's own reader.
 *
 * @param bytes the beginning of the file, up to the end of a line
 * @throws {LookupInputError} with the first violation of the attempt that gets farthest, if none reads all rows, or
 * only one that would cut ranges short
 */
export function guessBuild(
  bytes: Buffer,
  fileName: string,
  { entryName, isWhole = true }: SampleOptions = {},
): BuildGuess {
  const sample = { bytes, isWhole };
  const vendor = readVendorFile(sample, fileName, entryName);
  if (vendor) return vendor;
  const failures: { readonly rows: number; readonly error: LookupInputError }[] = [];
  const readings = SEPARATORS.flatMap((separator) => {
    const found = FORMATS.flatMap((inputFormat) => {
      const reading = readEither(sample, fileName, { inputFormat, separator });
      if (!('error' in reading)) return [reading];
      failures.push(reading);
      return [];
    });
    const [first, ...others] = found.toSorted((a, b) => b.rows - a.rows);
    if (first === undefined) return [];
    if (found.length === 1) refuseHalves(first, sample, fileName);
    // Two columns of addresses are also read as one of single addresses, and a value.
    return (
      others.find(({ columns, rows }) => rows === first.rows && columns.length < first.columns.length) ??
      first
    );
  });
  // With a wrong separator a row may still be one network, and blanks.
  const [best] = readings.toSorted((a, b) => b.rows - a.rows || b.columns.length - a.columns.length);
  if (best) {
    refuseSplit(best, sample, fileName);
    return describe(best, sample, fileName);
  }
  const farthest = failures.toSorted((a, b) => b.rows - a.rows)[0]!;
  throw farthest.rows > 0 ? farthest.error : whyUnreadable(sample, fileName);
}

/**
 * The options for a list of networks.
 *
 * @param rows its CSV text
 * @param places where that comes from
 * @throws {LookupInputError} with the first violation
 */
export function guessNetworkList(rows: Buffer, fileName: string, places: InputPlaces): BuildGuess {
  const options = { kind: 'csv', inputFormat: 'networks', ...REST } as const;
  const reading = read({ bytes: rows, isWhole: true }, fileName, options, places);
  if ('error' in reading) throw reading.error;
  return {
    kind: 'csv',
    options: { inputFormat: 'networks', ...nameFor(fileName, options) },
    columns: reading.columns,
    rows: reading.rows,
  };
}

/** The violation of the options that nearly read the sample, which has no valid row. */
function whyUnreadable(sample: Sample, fileName: string): LookupInputError {
  if (sample.bytes.length === 0) return unreadable(fileName, 'is empty');
  // Without line feeds, or in UTF-16, a file has no rows to look at: any reading says so.
  const hasRows =
    sample.bytes.includes('\n') && typeof readFileStart(sample.bytes, sample.bytes.length) !== 'string';
  const nearest =
    nearestReading(sample.bytes, SEPARATORS) ?? (hasRows ? undefined : ({ inputFormat: 'cidr' } as const));
  if (nearest === undefined) return unreadable(fileName, NO_ADDRESSES);
  const reading = read(sample, fileName, { kind: 'csv', ...nearest, ...REST });
  return 'error' in reading ? reading.error : unreadable(fileName, NO_ADDRESSES);
}

function unreadable(fileName: string, reason: string): LookupInputError {
  return new LookupInputError([{ file: baseName(fileName), reason }]);
}

function baseName(fileName: string): string {
  return fileName === '-' ? 'standard input' : fileName.replace(/^.*[/\\]/, '');
}

/** A valid lookup name derived from the file's name, if that is not one itself. */
function nameFor(fileName: string, options: BuildOptions): Pick<BuildOptions, 'lookupName'> {
  const { lookupName: _, ...unnamed } = options;
  try {
    planBuild(fileName, unnamed);
    return {};
  } catch {
    const stem = baseName(fileName).replace(/(\.csv)?(\.gz|\.zip)?$/i, '');
    const name = stem.replaceAll(/[^A-Za-z0-9._]+/g, '-').replaceAll(/^[^A-Za-z0-9]+|-+$/g, '');
    return { lookupName: name.slice(0, 128) || 'lookup' };
  }
}

function readVendorFile(
  sample: Sample,
  fileName: string,
  entryName: string | undefined,
): BuildGuess | undefined {
  const names = [fileName, entryName ?? fileName];
  const known = names.map(vendorDatabase).find((database) => database !== undefined);
  const near = known ?? names.map(nearVendorDatabase).find((database) => database !== undefined);
  if (near === undefined) return undefined;
  const format: InputFormatName = near.cidr ? 'cidr' : near.family === 6 ? 'ipv6-int' : 'ipv4-int';
  for (const columnNames of near.columns) {
    const options: BuildOptions = { kind: 'vendor', inputFormat: format, columnNames, ...REST };
    const reading = read(sample, fileName, options);
    if ('error' in reading || reading.rows === 0) continue;
    const { columns, rows } = reading;
    const wanted = { ...(known ? {} : { inputFormat: format, columnNames }), ...nameFor(fileName, options) };
    return { kind: 'vendor', options: wanted, columns, rows };
  }
  return undefined;
}

const REST = { lookupName: ANY_NAME, buildEpoch: 0 } as const;

/** Reads with a header, or else without one. */
function readEither(
  sample: Sample,
  fileName: string,
  options: Pick<BuildOptions, 'inputFormat' | 'separator'>,
): Reading | { readonly rows: number; readonly error: LookupInputError } {
  const withHeader = read(sample, fileName, { kind: 'csv', ...options, ...REST });
  if (!('error' in withHeader) && withHeader.rows > 0) return withHeader;
  const [first = []] = sampleRows(sample.bytes, separatorByte(options.separator));
  // The address columns may be named too; the reader finds out how many they are.
  const columnNames = first.map((_, index) => String(index + 1));
  const without = read(sample, fileName, { kind: 'csv', ...options, header: false, columnNames, ...REST });
  if ('error' in withHeader && 'error' in without)
    return withHeader.rows > without.rows ? withHeader : without;
  return 'error' in without ? withHeader : without;
}

/** @returns the columns and the number of rows, or the position of the first violation */
function read(
  sample: Sample,
  fileName: string,
  options: BuildOptions,
  places?: InputPlaces,
): Reading | { readonly rows: number; readonly error: LookupInputError } {
  let rows = 0;
  const violations = new FirstViolation(baseName(fileName), places);
  try {
    const reader = new RowReader(planBuild(fileName, options), { add: () => rows++ }, violations);
    reader.push(sample.bytes);
    const columns = (sample.isWhole ? reader.end() : reader.values)?.columns ?? [];
    if (rows > 0) return { options, columns, rows };
    return { rows, error: violations.fatal(undefined, 'has no rows') };
  } catch (error) {
    if (error instanceof LookupInputError) return { rows, error };
    if (error instanceof LookupOptionError)
      return { rows, error: violations.fatal(undefined, error.template) };
    throw error;
  }
}

/** Ends the reading at the first invalid row. */
class FirstViolation extends ViolationList {
  override add(row: number, reason: string | OptionMessage, column?: string, text?: string): void {
    throw this.fatal(row, reason, column, text);
  }
}

/** Ranges of which some lack their end are also read as one column of single addresses, and a value. */
function refuseHalves({ options }: Reading, sample: Sample, fileName: string): void {
  if (options.inputFormat !== 'cidr') return;
  const rows = sampleRows(sample.bytes, separatorByte(options.separator));
  const header = options.header === false ? undefined : rows.shift();
  if (!areLikelyRanges(header, rows)) return;
  const inTwoColumns = read(sample, fileName, { ...options, inputFormat: 'auto' });
  if (!('error' in inTwoColumns)) return;
  const { error } = inTwoColumns;
  const [violation] = error.violations;
  // A template already mentions the options to pass.
  const isSure = header !== undefined && namesRange(header);
  if (violation === undefined || violation.template !== undefined || isSure) throw error;
  const template = optionMessage`${violation.reason}: ${rangeRemedy(...rows.map(([first = '']) => first))}${furtherOptions(options)}`;
  throw new LookupInputError([{ ...violation, reason: formatMessage(template), template }]);
}

/** The options, besides the format, without which these rows cannot be read. */
function furtherOptions({ separator = ',', header }: BuildOptions): OptionMessage {
  const separated =
    separator === ',' ? [] : optionMessage`, with ${{ option: 'separator' }} ${JSON.stringify(separator)}`;
  if (header !== false) return separated;
  const named = optionMessage`${{ option: 'header', value: false }} and ${{ option: 'columnNames' }}`;
  return [...separated, separated.length > 0 ? ', ' : ', with ', ...named];
}

/** Networks in two columns are not what they are read as. */
function refuseSplit({ options, columns }: Reading, sample: Sample, fileName: string): void {
  if (options.inputFormat !== 'auto' && options.inputFormat !== 'cidr') return;
  const rows = sampleRows(sample.bytes, separatorByte(options.separator));
  const header = options.header === false ? undefined : rows.shift();
  const found = findSplit(header, rows, rows[0]!.length - columns.length);
  if (found === undefined) return;
  const [value, meaning] = found === 'netmasks' ? ['ipv4', 'the ends of ranges'] : ['cidr', 'values'];
  const template = optionMessage`has ${found} in its second column: write networks, such as 192.0.2.0/24, in one column instead, or pass ${{ option: 'inputFormat', value }}${furtherOptions(options)} if these are ${meaning}`;
  throw new LookupInputError([{ file: baseName(fileName), reason: formatMessage(template), template }]);
}

function describe({ options, columns, rows }: Reading, sample: Sample, fileName: string): BuildGuess {
  const { separator, inputFormat, header } = options;
  const all = sampleRows(sample.bytes, separatorByte(separator));
  const values = (header === false ? all : all.slice(1)).map((cells) =>
    cells.slice(cells.length - columns.length),
  );
  const known = recogniseTable(all, separator ?? ',');
  const names = header === false ? (known?.columns ?? nameColumns(values)) : columns;
  const columnTypes = typeColumns(names, values);
  return {
    kind: 'csv',
    options: {
      inputFormat: inputFormat!,
      ...(separator !== ',' && { separator: separator! }),
      // A list of networks has no values, but its column has a name.
      ...(header === false && { header, columnNames: names.length > 0 ? names : ['network'] }),
      ...(columnTypes.length > 0 && { columnTypes }),
      ...nameFor(fileName, options),
    },
    columns: names,
    rows,
    ...(known !== undefined && { vendor: known.vendor }),
  };
}
