import { join } from 'node:path';
import { setImmediate as otherWork } from 'node:timers/promises';
import type { BuildCounts } from '../build/build-counts.js';
import type { StreamedBuilder } from '../build/streamed-builder.js';
import { LookupBuilder } from '../build/lookup-builder.js';
import type { BuildPlan } from '../build/build-plan.js';
import type { BuildOptions } from '../build/build-options.js';
import { planBuild } from '../build/plan-build.js';
import type { GuardOptions, GuardOutcome } from '../guard/guard-options.js';
import { LookupOptionError } from '../messages/option-message.js';
import { asRows, type InputRows } from './as-rows.js';
import { freeLeftovers } from './collect-garbage.js';
import { BuildDescription } from './describe-build.js';
import { InputFileError } from './file.errors.js';
import { planVendorInput } from './known-input.js';
import type { InputFile } from './open-regular-file.js';
import { type InputLimits, openInput } from './open-input.js';
import { isLookupInput, openLookupRows } from './open-lookup-rows.js';
import { openMaxmind } from './open-maxmind.js';
import { openTables } from './open-tables.js';
import { isForThreads, readInThreads } from './read-in-threads.js';
import { type JoinFile, readJoins } from './read-joins.js';
import type { UnzipLimits } from './read-lookup-file.js';
import { swapLookup, type SwapRequest } from './swap-lookup.js';
import { untilAborted } from './until-aborted.js';

/** A build's progress. */
export interface BuildProgress {
  readonly phase: 'reading' | 'building' | 'writing';
  /** Bytes of the input file read so far, and in total if known. */
  readonly bytesRead: number;
  readonly bytesTotal: number | undefined;
  /** Rows read so far, without the header and blank lines. */
  readonly rows: number;
}

/** Limits for untrusted input. */
export interface BuildLimits extends InputLimits, UnzipLimits {
  readonly maxRatio: number;
  /** Rows are kept in memory until the lookup is built. */
  readonly maxRows: number;
}

/** A build's input and output, in addition to its {@link BuildOptions}. */
export interface BuildRequest extends BuildOptions, Pick<SwapRequest, 'beforeSwap'> {
  /** The input file, or `-` for standard input. */
  readonly input: string;
  readonly stdin?: AsyncIterable<Uint8Array> | undefined;
  /** Further files of the same columns, with headers, for `csv`. */
  readonly moreInputs?: readonly string[];
  /** Reads the CSV edition of a MaxMind database, in an archive or a folder, with the names of places in these languages. */
  readonly languages?: readonly string[] | undefined;
  /** Files to join to the rows, plain, gzipped or zipped. */
  readonly joinFiles?: readonly JoinFile[] | undefined;
  /** Replaces the file's name in messages, for vendor columns and as the lookup's name. */
  readonly inputName?: string;
  /** Limits of the input. Default: none. */
  readonly limits?: BuildLimits;
  /** If false, links are not followed: the paths themselves were checked. Default: true. */
  readonly followLinks?: boolean;
  /** Folder of the lookup file. */
  readonly folder: string;
  readonly gzip?: boolean;
  /** Marks the incomplete lookup file, see {@link removePartial}. */
  readonly writer?: string;
  /** Guards that the lookup must pass before it replaces the former one. Default: none. */
  readonly guards?: GuardOptions | undefined;
  /** Who replaces the former lookup even if guards fail. */
  readonly forcedBy?: string | undefined;
  /** How many former versions of the lookup file to keep. Default: none. */
  readonly keepVersions?: number;
  /** Name and version of the program, for the manifest. Default: no manifest is written. */
  readonly manifestTool?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: BuildProgress) => void) | undefined;
  /** How many threads may work on it. Default: one. */
  readonly threads?: number | undefined;
  /** Size of a file from which on more than one does, in bytes. */
  readonly threadsFromBytes?: number | undefined;
  /** Size of the parts that each thread reads at a time, in bytes; at most 1 MiB. */
  readonly threadBlockBytes?: number | undefined;
}

/** The result of a build. */
export interface BuildSummary extends BuildCounts {
  readonly lookup: string;
  /** The lookup file. */
  readonly file: string;
  /** Size of the lookup file. */
  readonly bytes: number;
  readonly seconds: number;
  /** What the guards found, if there were any. */
  readonly guards: readonly GuardOutcome[];
  /** Who replaced the former lookup although guards failed. */
  readonly forcedBy?: string;
}

/**
 * Builds a lookup file from a CSV file. The previous lookup file stays in place until the new one is complete.
 *
 * @throws {LookupOptionError} if the options are invalid or contradictory
 * @throws {InputFileError} if the input cannot be read
 * @throws {LookupInputError} if its rows are invalid
 * @throws {LookupGuardError} if the lookup fails a guard, unless it is forced
 * @throws {OutputFileError} if the lookup file cannot be written
 */
export async function buildLookup(request: BuildRequest): Promise<BuildSummary> {
  const started = performance.now();
  // What an earlier build of this process left, such as that of another layer.
  freeLeftovers();
  const description = request.manifestTool === undefined ? undefined : await BuildDescription.begin(request);
  const { plan, input } = await openPlanned(request);
  const file = join(request.folder, `${plan.lookupName}.mmdb${request.gzip ? '.gz' : ''}`);
  const run = new BuildRun(plan, input, request);
  const swapped = await swapLookup(file, run.content(), {
    ...request,
    gzip: request.gzip ?? false,
    lookup: plan.lookupName,
    describe:
      description && (async (partial, guarded) => description.finish(partial, file, run.counts!, guarded)),
  });
  const seconds = Math.round(performance.now() - started) / 1000;
  return { lookup: plan.lookupName, file, seconds, ...run.counts!, ...swapped };
}

/** Opens a build's input, and decides how it is read. @throws as {@link buildLookup} does */
export async function openPlanned(
  request: BuildRequest,
): Promise<{ readonly plan: BuildPlan; readonly input: InputFile }> {
  const name = request.inputName ?? request.input;
  if (request.languages !== undefined) return openMaxmind(request.input, request, maxmindRules(request));
  const options = { ...request, joins: await readJoins(request) };
  if (isLookupInput(name, request)) return openLookupRows(request.input, name, options);
  const unpacked = request.kind === 'csv' ? planBuild(name, options) : undefined;
  const { input, places } = await openInputs(request, unpacked);
  if (unpacked === undefined) return planVendorInput(name, options, input);
  return { plan: places === undefined ? unpacked : { ...unpacked, places }, input };
}

function maxmindRules({ languages = [], limits, followLinks, inputName: name, signal }: BuildRequest) {
  return { languages, limits, followLinks, name, signal };
}

async function openInputs(
  { input, moreInputs = [], limits, followLinks, stdin, inputName }: BuildRequest,
  plan: BuildPlan | undefined,
): Promise<InputRows> {
  const rules = { limits, followLinks, stdin, name: inputName };
  if (moreInputs.length === 0) {
    const opened = await openInput(input, rules);
    return plan === undefined ? { input: opened } : asRows(opened, plan);
  }
  if (plan?.format.name === 'networks')
    throw new LookupOptionError('the input format networks reads a single file: declare several as layers');
  if (plan === undefined || plan.columns !== undefined)
    throw new LookupOptionError('several files need headers, which identify their columns');
  return openTables([input, ...moreInputs], plan.separator, rules);
}

type RowCount = Pick<LookupBuilder, 'rowsRead'>;

/** Runs one builder. */
class BuildRun {
  counts: BuildCounts | undefined;
  /** Bytes read, if two threads read them. */
  private bytesRead: number | undefined;

  constructor(
    private readonly plan: BuildPlan,
    private readonly input: InputFile,
    private readonly request: BuildRequest,
  ) {}

  /** The lookup file's bytes. */
  async *content(): AsyncGenerator<Uint8Array> {
    const { signal } = this.request;
    const builder = (await this.readInThreads()) ?? (await this.read());
    const output = builder.finish();
    for (let next = output.next(); ; next = output.next()) {
      signal?.throwIfAborted();
      if (next.done) {
        this.counts = next.value;
        return;
      }
      if (next.value.length === 0) {
        this.report('building', builder);
        await otherWork();
      } else {
        this.report('writing', builder);
        yield next.value;
      }
    }
  }

  private async readInThreads(): Promise<StreamedBuilder | undefined> {
    const { plan, input, request } = this;
    const { signal, threads = 1, threadsFromBytes, threadBlockBytes, limits } = request;
    if (threads < 2 || !isForThreads(input, plan, threadsFromBytes)) return undefined;
    // Left to the single-threaded path, which reports that the file is too large.
    if (input.size! > (limits?.maxBytes ?? Infinity)) return undefined;
    const onBlock = (bytesRead: number, builder: StreamedBuilder): void => {
      this.bytesRead = bytesRead;
      this.checkRows(builder);
      this.report('reading', builder);
    };
    try {
      const builder = await readInThreads(input, plan, { signal, onBlock }, threadBlockBytes);
      if (builder === undefined) this.bytesRead = undefined;
      else await input.close?.();
      return builder;
    } catch (error) {
      await input.close?.();
      throw error;
    }
  }

  private async read(): Promise<LookupBuilder> {
    const builder = new LookupBuilder(this.plan);
    for await (const chunk of untilAborted(this.input.content, this.request.signal)) {
      builder.push(chunk);
      this.checkRows(builder);
      this.report('reading', builder);
    }
    return builder;
  }

  private checkRows({ rowsRead }: RowCount): void {
    const { limits, inputName, input } = this.request;
    if (rowsRead > (limits?.maxRows ?? Infinity))
      throw new InputFileError(`${inputName ?? input} has more than ${limits!.maxRows} rows`);
  }

  private report(phase: BuildProgress['phase'], { rowsRead }: RowCount): void {
    const bytesRead = this.bytesRead ?? this.input.bytesRead();
    this.request.onProgress?.({ phase, bytesRead, bytesTotal: this.input.size, rows: rowsRead });
  }
}
