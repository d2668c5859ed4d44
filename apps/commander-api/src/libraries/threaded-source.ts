import { Worker } from 'node:worker_threads';
import { type GitServerFacts, type GitSourceOptions, openSource } from '@svc/library-source';
import { MAX_TIMER_MS } from '@svc/foundation';
import { ContentFile } from '@svc/foundation/files';
import {
  type CheckedSource,
  type LastLoaded,
  type LibraryFile,
  type LibraryFinding,
  type ReadingOptions,
  type ReadingRun,
  type ReadLibrary,
  SourceChangedError,
  SourceConfigurationError,
  SourceUnreachableError,
  UnverifiedSourceError,
} from '@svc/library-sync';
import { addChildSpan } from '@svc/service-kit/spans';
import {
  type Failure,
  type SourceMessage,
  type SourceRequest,
  type SourceTask,
  unpackFiles,
} from './source-messages.js';

/** Heap limit of a thread; contents of files do not count, and have separate limits. */
const HEAP_MIB = 1024;

/**
 * The heap limit that applies: V8 uses an operator's --max-old-space-size in place of a thread's own limit.
 *
 * @param options of the Node process, from NODE_OPTIONS and its command line; the last one applies
 */
export function heapLimitMib(
  options: readonly string[] = [...(process.env['NODE_OPTIONS'] ?? '').split(/\s+/), ...process.execArgv],
): number {
  const sizes = options.flatMap((option) => /^--max[-_]old[-_]space[-_]size=(\d+)$/.exec(option)?.[1] ?? []);
  return Number(sizes.at(-1) ?? HEAP_MIB);
}

/** Deadline for reading and checking a source, besides a repository's own for its fetch. */
const DEADLINE_MS = 10 * 60_000;

/** Time for a thread to stop. */
const STOP_MS = 2_000;

/**
 * Reads and checks a folder or repository in a new thread per call: whatever its content, the caller's thread is not
 * blocked, and a deadline applies.
 */
export class ThreadedSource implements CheckedSource {
  readonly name: string;
  readonly kind: 'folder' | 'git';
  readonly origin: string;
  /** Threads do not outlive a call, so what they find out is kept here. */
  private server: GitServerFacts = {};
  /** What the last reading found; its thread writes it. */
  private contents: ContentFile | undefined;

  /** @throws {RangeError} if the address is invalid; the message never repeats it */
  constructor(private readonly options: GitSourceOptions) {
    ({ name: this.name, kind: this.kind, origin: this.origin } = openSource(options));
  }

  async revision(signal?: AbortSignal): Promise<string> {
    return (await this.run({}, signal, () => undefined)).revision;
  }

  async readChecked(
    options: ReadingOptions,
    { signal, onProgress, passed, lastLoaded }: ReadingRun,
  ): Promise<ReadLibrary> {
    const folders = new Set<string>();
    const files = new Map<string, LibraryFile>();
    const problems: LibraryFinding[] = [];
    const contents = this.openContents();
    const phases = new Map<string, number>();
    const take = (message: SourceMessage): void => {
      if (message.kind === 'progress') {
        phases.set(message.progress.phase, Date.now());
        onProgress?.(message.progress);
      }
      if (message.kind === 'folders') for (const path of message.paths) folders.add(path);
      if (message.kind === 'files')
        for (const [path, file] of unpackFiles(message, contents)) files.set(path, file);
      if (message.kind === 'problems') problems.push(...message.problems);
    };
    try {
      const known = Promise.all([passed?.() ?? new Map<string, string>(), lastLoaded?.()]);
      const { revision, signature, isOlder } = await this.run(
        { reading: options, contentFile: contents?.file },
        signal,
        take,
        known,
      );
      this.addFetchSpan(phases);
      return { library: { folders, files }, problems, revision, signature, isOlder };
    } catch (error) {
      this.addFetchSpan(phases, error);
      throw error;
    }
  }

  release(): void {
    this.contents?.close();
    this.contents = undefined;
  }

  /** Without one, the thread sends the contents themselves. */
  private openContents(): ContentFile | undefined {
    this.release();
    try {
      this.contents = new ContentFile();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    }
    return this.contents;
  }

  /** @param phases when each began; an error before the check belongs to the fetch */
  private addFetchSpan(phases: ReadonlyMap<string, number>, error?: unknown): void {
    const startMs = phases.get('reading');
    if (this.kind !== 'git' || startMs === undefined) return;
    const endMs = phases.get('checking');
    addChildSpan(
      'git fetch',
      {},
      endMs === undefined ? { startMs, endMs: Date.now(), error } : { startMs, endMs },
    );
  }

  /** @param known what the source is compared with */
  private async run(
    task: Omit<SourceTask, 'source'>,
    signal: AbortSignal | undefined,
    take: (message: SourceMessage) => void,
    known?: Promise<readonly [ReadonlyMap<string, string>, LastLoaded | undefined]>,
  ): Promise<Outcome> {
    const deadlineMs = Math.min(DEADLINE_MS + (this.options.deadlineMs ?? 0), MAX_TIMER_MS);
    const deadline = AbortSignal.timeout(deadlineMs);
    const failed = new AbortController();
    const stopped = AbortSignal.any([deadline, failed.signal, ...(signal ? [signal] : [])]);
    // Handle it before anything can throw: an unhandled rejection would end the process.
    known?.catch((error) => failed.abort(error));
    stopped.throwIfAborted();
    const thread = new SourceThread({ source: { ...this.options, server: this.server }, ...task }, stopped);
    known?.then(
      ([passed, lastLoaded]) => thread.send({ kind: 'known', passed, lastLoaded }),
      () => undefined,
    );
    try {
      const outcome = await thread.outcome(take);
      this.server = outcome.server;
      return outcome;
    } catch (error) {
      if (deadline.aborted) throw this.unreachable(`it took longer than ${deadlineMs / 1000} s`, error);
      stopped.throwIfAborted();
      if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY')
        throw this.unreachable(
          `it takes more than ${heapLimitMib()} MiB of memory; exclude a part of it`,
          error,
        );
      throw error;
    }
  }

  private unreachable(reason: string, cause: unknown): SourceUnreachableError {
    return new SourceUnreachableError(`cannot read ${this.name}: ${reason}`, { cause });
  }
}

const FAILURES = {
  changed: SourceChangedError,
  unreachable: SourceUnreachableError,
  configuration: SourceConfigurationError,
  unverified: UnverifiedSourceError,
  other: Error,
} as const satisfies Record<Failure, new (message: string) => Error>;

type Outcome = SourceMessage & { readonly kind: 'done' };

/** One run of `source-worker.ts`. */
class SourceThread {
  private readonly worker: Worker;

  constructor(
    task: SourceTask,
    private readonly stopped: AbortSignal,
  ) {
    this.worker = new Worker(new URL('./source-worker.js', import.meta.url), {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
    });
  }

  send(request: SourceRequest): void {
    this.worker.postMessage(request);
  }

  /** Settles once the thread has ended. */
  async outcome(take: (message: SourceMessage) => void): Promise<Outcome> {
    let last: SourceMessage | undefined;
    let timer: NodeJS.Timeout | undefined;
    const stop = (): void => {
      this.send({ kind: 'stop' });
      timer = setTimeout(() => void this.worker.terminate(), STOP_MS);
    };
    this.stopped.addEventListener('abort', stop, { once: true });
    try {
      await new Promise<void>((resolve, reject) => {
        this.worker.on('message', (message: SourceMessage) => {
          last = message;
          take(message);
        });
        let failure: Error | undefined;
        this.worker.once('error', (error) => (failure = error as Error));
        this.worker.once('exit', () => (failure ? reject(failure) : resolve()));
      });
    } finally {
      clearTimeout(timer);
      this.stopped.removeEventListener('abort', stop);
    }
    if (last?.kind === 'done') return last;
    if (last?.kind !== 'failed') throw new Error('the thread that reads the source ended without a result');
    throw new FAILURES[last.failure](last.message);
  }
}
