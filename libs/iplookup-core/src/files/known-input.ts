import type { BuildPlan } from '../build/build-plan.js';
import type { BuildOptions } from '../build/build-options.js';
import { planBuild } from '../build/plan-build.js';
import { sampleRows } from '../guess/sample-rows.js';
import type { KnownTable } from '../vendor/known-table.js';
import { recogniseTable } from '../vendor/known-tables.js';
import { vendorDatabase } from '../vendor/vendor-file-name.js';
import type { InputFile } from './open-regular-file.js';

const LF = 10;

/** How much of a file is looked at. */
const PEEK_BYTES = 64 * 1024;

/** Separators of vendors' files. */
const SEPARATORS = [
  [',', 44],
  ['tab', 9],
] as const;

/**
 * Plans the build of a vendor's file: by its name, or else by its first rows.
 *
 * @returns the input, to be read from its start
 * @throws {LookupOptionError} if neither is known
 */
export async function planVendorInput(
  name: string,
  options: BuildOptions,
  input: InputFile,
): Promise<{ readonly plan: BuildPlan; readonly input: InputFile }> {
  const { entryName } = input;
  const isKnown = [name, entryName ?? ''].some((each) => vendorDatabase(each) !== undefined);
  if (isKnown || options.columnNames !== undefined)
    return { plan: planBuild(name, options, entryName), input };
  const { start, isWhole, rest, close } = await peek(input.content);
  try {
    const known = recogniseStart(start, isWhole);
    const plan = planBuild(name, known === undefined ? options : optionsFor(known, options), entryName);
    const noValues = known?.noValues ?? plan.noValues;
    return { plan: { ...plan, noValues }, input: { ...input, content: rest, close } };
  } catch (error) {
    await close();
    throw error;
  }
}

function recogniseStart(
  start: Buffer,
  isWhole: boolean,
): (KnownTable & { readonly separator: string }) | undefined {
  const end = isWhole ? start.length : start.lastIndexOf(LF, PEEK_BYTES - 1) + 1;
  for (const [separator, byte] of SEPARATORS) {
    const known = recogniseTable(sampleRows(start.subarray(0, end), byte), separator);
    if (known !== undefined) return { ...known, separator };
  }
  return undefined;
}

/** The options that read such a file; those given by the user come first. */
function optionsFor(known: KnownTable & { readonly separator: string }, given: BuildOptions): BuildOptions {
  const { inputFormat, separator, hasHeader, columns, types, places, placeless } = known;
  const isNested = given.schema === 'geoip2';
  const { rename = [], keepColumns, dropColumns = [] } = given;
  const isTyped = given.types !== false && !isNested && given.columnTypes === undefined;
  return {
    separator,
    inputFormat,
    ...given,
    kind: 'csv',
    ...(!hasHeader && { header: false, columnNames: columns }),
    ...(isTyped && { columnTypes: types }),
    ...(isNested && {
      rename: [...rename, ...places.filter(([name]) => !rename.some(([column]) => column === name))],
      ...(keepColumns === undefined && { dropColumns: [...new Set([...dropColumns, ...placeless])] }),
    }),
  };
}

/** Reads at least the first {@link PEEK_BYTES} of a content that can still be read as a whole, or closed. */
async function peek(content: AsyncIterable<Uint8Array>): Promise<{
  readonly start: Buffer;
  readonly isWhole: boolean;
  readonly rest: AsyncIterable<Uint8Array>;
  readonly close: () => Promise<unknown>;
}> {
  const iterator = content[Symbol.asyncIterator]();
  const close = async (): Promise<unknown> => iterator.return?.();
  // A pipe delivers pieces of any size, each of which is valid until the next one is requested.
  const pieces: Buffer[] = [];
  let isWhole = false;
  for (let bytes = 0; bytes < PEEK_BYTES && !isWhole;) {
    const next = await iterator.next();
    if (next.done === true) isWhole = true;
    else bytes += pieces[pieces.push(Buffer.from(next.value)) - 1]!.length;
  }
  const start = Buffer.concat(pieces);
  async function* whole(): AsyncGenerator<Uint8Array> {
    try {
      yield start;
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next())
        yield next.value;
    } finally {
      await close();
    }
  }
  return { start, isWhole, rest: whole(), close };
}
