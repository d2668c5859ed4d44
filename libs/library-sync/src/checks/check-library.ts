import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { bytesOf, type FileContent } from '../ports/file-content.js';
import type { LibraryFinding } from '../ports/library-finding.js';
import type { LinkRefusal, SourceEntry } from '../ports/library-source.js';
import { checkName, findTwins, type NamingRules } from './check-names.js';
import type { DeclarationChecks } from './declaration-checks.js';
import type { DeclarationRules } from './declaration-rules.js';
import { checkYaml } from '../yaml/check-yaml.js';
import { LARGE_FILE_BYTES, MAX_FILE_BYTES } from './node-limits.js';

/** A file to load. */
export interface LibraryFile {
  readonly data: FileContent;
  /** See `contentHash`. */
  readonly hash: string;
}

/** A library ready for comparison with the stored one. */
export interface Library {
  /** Every folder below the root, including empty ones. */
  readonly folders: ReadonlySet<string>;
  readonly files: ReadonlyMap<string, LibraryFile>;
}

export interface CheckOptions {
  readonly names: NamingRules;
  /** The destination, if that is a folder, which cannot hold every name. */
  readonly folder?: string | undefined;
  /** Accepts a source without files, which empties the library. */
  readonly allowEmpty: boolean;
  /** Maximum total size of all files, in bytes. */
  readonly maxBytes: number;
  readonly rules?: DeclarationRules | undefined;
}

/** Bytes between yields to the event loop, for session pings and other requests. */
const BYTES_BEFORE_PAUSE = 1 << 20;

/** The first 16 bytes of the content's SHA-256 in base64url: 22 characters. */
export function contentHash(data: Uint8Array): string {
  return hash('sha256', data, 'base64url').slice(0, 22);
}

/**
 * Runs every check that does not need the destination, and reports all problems together.
 *
 * @param passed content hashes by path of files that passed before, by the same rules: they are not parsed again
 * @returns the library, valid only if no problem is an error, and the problems in entry order
 */
export async function checkLibrary(
  entries: readonly SourceEntry[],
  options: CheckOptions,
  signal?: AbortSignal,
  passed: ReadonlyMap<string, string> = new Map(),
): Promise<{ library: Library; problems: LibraryFinding[] }> {
  const folders = new Set<string>();
  const files = new Map<string, LibraryFile>();
  const tooLarge = checkSize(entries, options.maxBytes);
  if (tooLarge) return { library: { folders, files }, problems: [tooLarge] };
  const problems: LibraryFinding[] = [];
  const checks = await declarationChecks(options);
  let bytes = 0;
  for (const entry of entries) {
    if (entry.kind === 'file' && (bytes += entry.data.length) > BYTES_BEFORE_PAUSE) {
      bytes = 0;
      await setImmediate();
      signal?.throwIfAborted();
    }
    problems.push(...checkEntry(entry, options));
    const clash = findClash(entry, { folders, files });
    if (clash) problems.push(clash);
    if (entry.kind === 'folder') folders.add(entry.path);
    if (entry.kind !== 'file') continue;
    const data = bytesOf(entry.data);
    const file = { data: entry.data, hash: contentHash(data) };
    files.set(entry.path, file);
    problems.push(...checkFile(entry, data));
    if (passed.get(entry.path) === file.hash || !isContent(entry, data)) continue;
    const findings = isYaml(entry) ? await checkYaml(data, signal) : [];
    for (const finding of findings) problems.push({ severity: 'error', path: entry.path, ...finding });
    if (findings.length === 0 && checks) problems.push(...checks.check(entry.path, data));
  }
  for (const finding of checks?.findings(files) ?? []) problems.push(finding);
  // Not push(...twins): the number of arguments is limited.
  for (const twin of findTwins([...folders, ...files.keys()])) problems.push(twin);
  if (files.size === 0 && !options.allowEmpty) problems.push(EMPTY_SOURCE);
  return { library: { folders, files }, problems };
}

/** A crafted Git tree can contain a name twice, but a node cannot be both a file and a folder. */
function findClash({ kind, path }: SourceEntry, { folders, files }: Library): LibraryFinding | undefined {
  const others = [...(files.has(path) ? ['file'] : []), ...(folders.has(path) ? ['folder'] : [])];
  if (others.length === 0 || (kind !== 'file' && kind !== 'folder')) return undefined;
  const message = others.includes(kind)
    ? `occurs twice in its folder, both times as a ${kind}; remove one`
    : 'is both a file and a folder; rename one of the two';
  return { severity: 'error', path, code: 'name-twice', message };
}

function checkSize(entries: readonly SourceEntry[], maxBytes: number): LibraryFinding | undefined {
  let bytes = 0;
  for (const entry of entries) {
    const size = entry.kind === 'file' ? (entry.oversize ?? entry.data.length) : 0;
    // Files too large for a node get an error of their own.
    if (size <= MAX_FILE_BYTES) bytes += size;
  }
  if (bytes <= maxBytes) return undefined;
  const message = `its files have ${bytes} bytes in total, more than the ${maxBytes} of source.max_bytes; exclude some, or raise the limit`;
  return { severity: 'error', path: '', code: 'library-size', message };
}

function checkEntry(entry: SourceEntry, { names, folder }: CheckOptions): LibraryFinding[] {
  const { path } = entry;
  if (entry.kind !== 'folder' && entry.kind !== 'file') {
    const refusal = entry.kind === 'link' ? entry.refusal : undefined;
    const message = refusal ? REFUSED_LINKS[refusal] : UNSUITABLE[entry.kind];
    return [{ severity: 'error', path, code: entry.kind, message }];
  }
  return checkName(path, entry.kind, names, folder).map((finding) => ({ ...finding, path }));
}

type SourceFile = Extract<SourceEntry, { kind: 'file' }>;

function checkFile({ path, oversize }: SourceFile, data: Uint8Array): LibraryFinding[] {
  const bytes = oversize ?? data.length;
  if (bytes > MAX_FILE_BYTES) {
    const message = `has ${bytes} bytes, more than the ${MAX_FILE_BYTES} that a node can hold`;
    return [{ severity: 'error', path, code: 'file-size', message }];
  }
  if (isLfsPointer(data)) return [{ severity: 'error', path, code: 'lfs-pointer', message: UNSUITABLE.lfs }];
  if (bytes <= LARGE_FILE_BYTES) return [];
  const message = `has ${bytes} bytes: nodes this large slow the cluster down`;
  return [{ severity: 'warning', path, code: 'file-large', message }];
}

/** Loaded lazily: few libraries have rules. @throws {RangeError} if a schema is invalid */
async function declarationChecks({ rules }: CheckOptions): Promise<DeclarationChecks | undefined> {
  if (rules === undefined) return undefined;
  const { DeclarationChecks } = await import('./declaration-checks.js');
  return new DeclarationChecks(rules);
}

/** True for a file that was read, and is not an LFS pointer. */
const isContent = ({ oversize }: SourceFile, data: Uint8Array): boolean =>
  oversize === undefined && !isLfsPointer(data);

const isYaml = ({ path }: SourceFile): boolean => /\.ya?ml$/i.test(path);

const LFS_HEAD = Buffer.from('version https://git-lfs.github.com/spec/');

function isLfsPointer(data: Uint8Array): boolean {
  return data.length < 1024 && LFS_HEAD.equals(data.subarray(0, LFS_HEAD.length));
}

const UNSUITABLE = {
  link: 'is a symbolic link; replace it with the file itself: what a link points to is not part of the source',
  submodule: 'is a git submodule; its content is not part of the repository',
  special: 'is neither a file nor a folder',
  'name-encoding': 'has a name that is not valid UTF-8, shown here with replacements; rename it',
  lfs: 'is a Git LFS pointer, not the file; store the file itself in the repository',
} as const;

const REFUSED_LINKS: Readonly<Record<LinkRefusal, string>> = {
  outside: 'is a symbolic link that points outside the source; replace it with the file itself',
  hidden: 'is a symbolic link to a name that starts with a dot; replace it with the file itself',
  missing: 'is a broken symbolic link; fix or remove it',
  circular: 'is a symbolic link that leads back to itself or to a folder above it; remove it',
};

const EMPTY_SOURCE: LibraryFinding = {
  severity: 'error',
  path: '',
  code: 'empty-source',
  message: 'the source has no files; pass --allow-empty to load it anyway, which empties the library',
};
