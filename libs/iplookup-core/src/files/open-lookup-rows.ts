import type { BuildPlan } from '../build/build-plan.js';
import type { BuildOptions } from '../build/build-options.js';
import { planBuild } from '../build/plan-build.js';
import { dumpColumns, flatten } from '../dump/dump-columns.js';
import { dumpRows } from '../dump/dump-rows.js';
import type { LookupValue } from '../mmdb/decode-value.js';
import { ParsedLookup } from '../mmdb/parsed-lookup.js';
import { recordOffsets } from '../networks/record-offsets.js';
import { encodeCells } from '../tables/encode-cells.js';
import type { ColumnType } from '../values/column-type.js';
import { type InputFile, openRegularFile } from './open-regular-file.js';
import { readOpenLookup, type UnzipLimits, withFileName } from './read-lookup-file.js';

const CHUNK_CHARACTERS = 1 << 16;
const COMMA = 44;

/** What decides how an input is read. */
interface LookupInput extends Pick<BuildOptions, 'kind'> {
  readonly moreInputs?: readonly string[];
  readonly limits?: UnzipLimits | undefined;
  readonly followLinks?: boolean | undefined;
}

/** Whether an input is a lookup file, by its name. */
export function isLookupInput(name: string, { kind, moreInputs = [] }: LookupInput): boolean {
  return kind === 'csv' && moreInputs.length === 0 && /\.mmdb(\.gz)?$/i.test(name);
}

/**
 * Opens a lookup file as the CSV text of its networks, with the types of its values.
 *
 * @param name in messages
 * @throws {InputFileError} if it cannot be read
 * @throws {LookupFormatError} naming the file, if it is damaged or not a lookup file
 */
export async function openLookupRows(
  path: string,
  name: string,
  options: BuildOptions & LookupInput,
): Promise<{ readonly plan: BuildPlan; readonly input: InputFile }> {
  const { limits, followLinks } = options;
  const bytes = await readBytes(path, name, { limits, followLinks });
  const lookup = withFileName(name, () => new ParsedLookup(bytes));
  const { columns, types } = withFileName(name, () => describeColumns(lookup));
  const { columnTypes = [], schema, types: isTyped } = options;
  const given = columnTypes.map(([column]) => column);
  const plan = planBuild(name.replace(/\.mmdb(\.gz)?$/i, '.csv'), {
    ...options,
    separator: ',',
    inputFormat: 'cidr',
    ...(schema !== 'geoip2' &&
      isTyped !== false && {
        columnTypes: [...columnTypes, ...types.filter(([column]) => !given.includes(column))],
      }),
  });
  let bytesRead = 0;
  async function* content(): AsyncGenerator<Uint8Array> {
    yield* textOf(lookup, columns);
    bytesRead = bytes.length;
  }
  const input = { size: bytes.length, bytesRead: () => bytesRead, entryName: undefined, content: content() };
  return { plan: { ...plan, file: name.replace(/^.*[/\\]/, '') }, input };
}

async function readBytes(
  path: string,
  name: string,
  { limits, followLinks }: Pick<LookupInput, 'limits' | 'followLinks'>,
): Promise<Uint8Array> {
  const file = await openRegularFile(path, { name, followLinks });
  try {
    return await readOpenLookup(file, name, limits);
  } finally {
    await file.close();
  }
}

function describeColumns(lookup: ParsedLookup): {
  readonly columns: readonly string[];
  readonly types: readonly (readonly [column: string, type: ColumnType])[];
} {
  const offsets = recordOffsets(lookup);
  const columns = dumpColumns(lookup, offsets);
  const types = new Map<string, ColumnType | undefined>();
  for (const offset of offsets)
    for (const [column, value] of flatten(lookup.recordAt(offset)))
      types.set(column, types.has(column) ? widerType(types.get(column), typeOf(value)) : typeOf(value));
  const typed = columns.flatMap((column) => {
    const type = types.get(column);
    return type === undefined ? [] : [[column, type] as const];
  });
  return { columns, types: typed };
}

/** @returns undefined for what is stored as text */
function typeOf(value: LookupValue): ColumnType | undefined {
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value !== 'number') return undefined;
  if (!Number.isInteger(value) || value >= 2 ** 32 || value < -(2 ** 31)) return 'double';
  return value < 0 ? 'int32' : 'uint32';
}

function widerType(a: ColumnType | undefined, b: ColumnType | undefined): ColumnType | undefined {
  if (a === b) return a;
  if (a === undefined || b === undefined || a === 'boolean' || b === 'boolean') return undefined;
  return 'double';
}

async function* textOf(lookup: ParsedLookup, columns: readonly string[]): AsyncGenerator<Uint8Array> {
  let text = '';
  for (const row of dumpRows(lookup, columns, 'cidr')) {
    text += `${encodeCells(row, COMMA)}\n`;
    if (text.length < CHUNK_CHARACTERS) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}
