import type { BuildPlan } from '../build/build-plan.js';
import { type BuildOptions, planBuild } from '../build/plan-build.js';
import { sampleRows } from '../guess/sample-rows.js';
import { type KnownTable, recogniseTable } from '../vendor/known-tables.js';
import { vendorDatabase } from '../vendor/vendor-file-name.js';
import type { InputFile } from './open-regular-file.js';

const LF = 10;

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
  const { start, rest, close } = await peek(input.content);
  try {
    const known = recogniseStart(Buffer.from(start));
    const plan = planBuild(name, known === undefined ? options : optionsFor(known, options), entryName);
    return { plan, input: { ...input, content: rest } };
  } catch (error) {
    await close();
    throw error;
  }
}

function recogniseStart(start: Buffer): (KnownTable & { readonly separator: string }) | undefined {
  const end = start.lastIndexOf(LF) + 1;
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

/** Reads the first piece of a content that can still be read as a whole, or closed. */
async function peek(content: AsyncIterable<Uint8Array>): Promise<{
  readonly start: Uint8Array;
  readonly rest: AsyncIterable<Uint8Array>;
  readonly close: () => Promise<unknown>;
}> {
  const iterator = content[Symbol.asyncIterator]();
  const first = await iterator.next();
  const start = first.done === true ? new Uint8Array() : Uint8Array.from(first.value);
  const close = async (): Promise<unknown> => iterator.return?.();
  async function* whole(): AsyncGenerator<Uint8Array> {
    try {
      yield start;
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next())
        yield next.value;
    } finally {
      await close();
    }
  }
  return { start, rest: whole(), close };
}
