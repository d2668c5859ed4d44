import type { CheckedSource, ReadingOptions, ReadingRun, ReadLibrary } from './checked-source.js';
import { checkLibrary, contentHash } from './checks/check-library.js';
import { createEntryFilter } from './checks/ignore-rules.js';
import { InvalidLibraryError, type LibraryFinding } from './ports/library-finding.js';
import type { LibrarySource, SourceIdentity } from './ports/library-source.js';
import type { LibraryCheck, LoadOptions, LoadRun } from './load-task.js';

/** @throws {InvalidLibraryError} | {SourceUnreachableError}, and what `passed` throws */
export async function readLibrary(
  source: LibrarySource | CheckedSource,
  options: ReadingOptions,
  run: ReadingRun,
  check?: LibraryCheck,
): Promise<ReadLibrary> {
  const read = await readAndCheckAll(source, options, run, check);
  refuseErrors(read.problems);
  return read;
}

/** Includes the caller's own check. */
async function readAndCheckAll(
  source: LibrarySource | CheckedSource,
  options: ReadingOptions,
  run: ReadingRun,
  check: LibraryCheck | undefined,
): Promise<ReadLibrary> {
  const read = await readAndCheck(source, options, run);
  const found = (await check?.(read.library)) ?? [];
  return found.length === 0 ? read : { ...read, problems: bounded([...read.problems, ...found]) };
}

/**
 * Reads a source and runs every check that does not need a destination.
 *
 * @throws {SourceUnreachableError}
 */
export async function readAndCheck(
  source: LibrarySource | CheckedSource,
  options: ReadingOptions,
  run: ReadingRun,
): Promise<ReadLibrary> {
  if ('readChecked' in source) return source.readChecked(options, run);
  const { onProgress, signal, passed, lastLoaded } = run;
  onProgress?.({ phase: 'reading' });
  let notes: LibraryFinding[] = [];
  const tree = await source.read(
    (ignoreFile) => createEntryFilter(ignoreFile, options.exclude, (notes = [])),
    signal,
    options.maxBytes,
    lastLoaded,
  );
  onProgress?.({ phase: 'checking' });
  const { library, problems } = await checkLibrary(tree.entries, options, signal, await passed?.());
  const { versionNode } = options;
  if (versionNode !== undefined && (library.files.has(versionNode) || library.folders.has(versionNode))) {
    problems.push({ ...VERSION_NODE_TAKEN, path: versionNode });
  }
  const { revision, signature, isOlder, warnings = [] } = tree;
  return { library, problems: bounded([...warnings, ...problems, ...notes]), revision, signature, isOlder };
}

/** Limits the list, errors first: a crafted repository can have a problem in each of a million entries. */
function bounded(problems: LibraryFinding[]): LibraryFinding[] {
  if (problems.length <= MAX_PROBLEMS) return problems;
  const isError = ({ severity }: LibraryFinding): boolean => severity === 'error';
  const first = problems.filter(isError).slice(0, MAX_PROBLEMS);
  const others = problems.filter((problem) => !isError(problem)).slice(0, MAX_PROBLEMS - first.length);
  const message = `has ${problems.length - MAX_PROBLEMS} more problems, which are not listed`;
  const rest = {
    severity: first.length > 0 ? 'error' : 'warning',
    path: '',
    code: 'more-problems',
    message,
  } as const;
  return [...first, ...others, rest];
}

/** @throws {InvalidLibraryError} */
export function refuseErrors(problems: readonly LibraryFinding[], Refusal = InvalidLibraryError): void {
  if (problems.some(({ severity }) => severity === 'error')) throw new Refusal(problems);
}

/** If two of these are equal, equal revisions yield equal libraries. */
export function describeReading(
  source: SourceIdentity,
  { exclude, names, prune, rules, verify }: LoadOptions,
): string {
  const settings = [
    ...[source.name, exclude, names, prune],
    // Other lookups do not change what the same revision contains.
    ...(rules ? [{ ...rules, lookups: rules.lookups?.keys }] : []),
    ...(verify ? [{ verify }] : []),
  ];
  return contentHash(Buffer.from(JSON.stringify(settings)));
}

const MAX_PROBLEMS = 10_000;

const VERSION_NODE_TAKEN = {
  severity: 'error',
  code: 'version-node',
  message: 'has the name of the version node, which the loader writes; rename it or set another version_node',
} as const;

/** The result of validating a source. Property names are those of the command's JSON. */
export interface ValidationReport {
  readonly source: string;
  readonly revision: string;
  readonly valid: boolean;
  readonly files: number;
  readonly folders: number;
  readonly bytes: number;
  readonly problems: readonly LibraryFinding[];
}

/** Reads and checks a source like a load, but without a destination. */
export async function validateLibrary(
  source: LibrarySource | CheckedSource,
  options: ReadingOptions,
  { signal, check }: Pick<LoadRun, 'signal' | 'check'> = {},
): Promise<ValidationReport> {
  const reading = readAndCheckAll(source, options, { signal }, check);
  const { library, problems, revision } = await reading.finally(() => source.release?.());
  return {
    source: source.name,
    revision,
    valid: !problems.some(({ severity }) => severity === 'error'),
    files: library.files.size,
    folders: library.folders.size,
    bytes: [...library.files.values()].reduce((sum, { data }) => sum + data.length, 0),
    problems,
  };
}
