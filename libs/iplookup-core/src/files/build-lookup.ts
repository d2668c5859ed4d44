import { join } from 'node:path';
import { setImmediate as otherWork } from 'node:timers/promises';
import { type BuildCounts, LookupBuilder } from '../build/lookup-builder.js';
import type { BuildPlan } from '../build/build-plan.js';
import { type BuildOptions, planBuild } from '../build/plan-build.js';
import type { GuardOptions, GuardOutcome } from '../guard/guard-options.js';
import { type JoinKey, type JoinTable, parseJoinTable } from '../build/join-table.js';
import { LookupOptionError } from '../messages/option-message.js';
import { asRows, type InputRows } from './as-rows.js';
import { BuildDescription } from './describe-build.js';
import { InputFileError } from './file.errors.js';
import type { InputFile } from './open-regular-file.js';
import { type InputLimits, openInput } from './open-input.js';
import { openTables } from './open-tables.js';
import { swapLookup } from './swap-lookup.js';

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
export interface BuildLimits extends InputLimits {
  /** Rows are kept in memory until the lookup is built. */
  readonly maxRows: number;
}

/** A build's input and output, in addition to its {@link BuildOptions}. */
export interface BuildRequest extends BuildOptions {
  /** The input file, or `-` for standard input. */
  readonly input: string;
  readonly stdin?: AsyncIterable<Uint8Array> | undefined;
  /** Further files of the same columns, with headers, for `csv`. */
  readonly moreInputs?: readonly string[];
  /** Files to join to the rows, plain, gzipped or zipped. */
  readonly joinFiles?: readonly JoinFile[] | undefined;
  /** Replaces the file's name in messages, for vendor columns and as the lookup's name. */
  readonly inputName?: string;
  /** Limits of the input. Default: none. */
  readonly limits?: BuildLimits;
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
}

/** A file to join. */
export interface JoinFile extends JoinKey {
  readonly path: string;
  /** Its name in messages. */
  readonly name: string;
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
  const description = request.manifestTool === undefined ? undefined : await BuildDescription.begin(request);
  const { plan, input } = await openPlanned(request);
  const builder = new LookupBuilder(plan);
  const file = join(request.folder, `${plan.lookupName}.mmdb${request.gzip ? '.gz' : ''}`);
  const run = new BuildRun(builder, input, request);
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
  const options = { ...request, joins: await readJoins(request) };
  const unpacked = request.kind === 'csv' ? planBuild(name, options) : undefined;
  const { input, places } = await openInputs(request, unpacked);
  const plan = unpacked ?? planBuild(name, options, input.entryName);
  return { plan: places === undefined ? plan : { ...plan, places }, input };
}

async function openInputs(
  { input, moreInputs = [], limits, stdin, inputName }: BuildRequest,
  plan: BuildPlan | undefined,
): Promise<InputRows> {
  // For untrusted input, the path itself was checked.
  const rules = { limits, stdin, name: inputName, followLinks: limits === undefined };
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

/** The joined tables stay in memory while the rows are read. */
const MAX_JOINED_BYTES = 256 * 1024 * 1024;

async function readJoins({ joinFiles = [], limits, signal }: BuildRequest): Promise<JoinTable[]> {
  const tables: JoinTable[] = [];
  for (const { path, name, ...key } of joinFiles) {
    const { content } = await openInput(path, { limits, name, followLinks: limits === undefined });
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of untilAborted(content, signal)) {
      size += chunk.length;
      if (size > MAX_JOINED_BYTES)
        throw new InputFileError(
          `${name} has more than ${MAX_JOINED_BYTES} bytes, the limit for a joined file`,
        );
      // The reader uses its buffers again.
      chunks.push(Uint8Array.from(chunk));
    }
    tables.push(parseJoinTable(Buffer.concat(chunks), name, key));
  }
  return tables;
}

/** Runs one builder. */
class BuildRun {
  counts: BuildCounts | undefined;

  constructor(
    private readonly builder: LookupBuilder,
    private readonly input: InputFile,
    private readonly request: BuildRequest,
  ) {}

  /** The lookup file's bytes. */
  async *content(): AsyncGenerator<Uint8Array> {
    const { signal } = this.request;
    for await (const chunk of untilAborted(this.input.content, signal)) {
      this.builder.push(chunk);
      this.checkRows();
      this.report('reading');
    }
    const output = this.builder.finish();
    for (let next = output.next(); ; next = output.next()) {
      signal?.throwIfAborted();
      if (next.done) {
        this.counts = next.value;
        return;
      }
      if (next.value.length === 0) {
        this.report('building');
        await otherWork();
      } else {
        this.report('writing');
        yield next.value;
      }
    }
  }

  private checkRows(): void {
    const { limits, inputName, input } = this.request;
    if (this.builder.rowsRead > (limits?.maxRows ?? Infinity))
      throw new InputFileError(`${inputName ?? input} has more than ${limits!.maxRows} rows`);
  }

  private report(phase: BuildProgress['phase']): void {
    this.request.onProgress?.({
      phase,
      bytesRead: this.input.bytesRead(),
      bytesTotal: this.input.size,
      rows: this.builder.rowsRead,
    });
  }
}

/** Passes chunks on until the signal aborts, even while waiting: standard input may stay silent. */
async function* untilAborted(
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  if (signal === undefined) {
    yield* chunks;
    return;
  }
  signal.throwIfAborted();
  const { promise: aborted, reject } = withReject();
  const stop = (): void => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), aborted]);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    // Closes the input file. Not awaited: while a read of a silent standard input is pending, it does not settle.
    void iterator.return?.().catch(() => undefined);
  }
}

/** A promise that never resolves, whose rejection may go unhandled. */
function withReject(): { promise: Promise<never>; reject: (reason: unknown) => void } {
  let reject!: (reason: unknown) => void;
  const promise = new Promise<never>((_, rejected) => (reject = rejected));
  promise.catch(() => undefined);
  return { promise, reject };
}
