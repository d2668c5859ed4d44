import type { GitServerFacts, GitSourceOptions } from '@svc/library-source';
import type { ContentFile, StoredContent } from '@svc/foundation/files';
import {
  bytesOf,
  type LastLoaded,
  type Library,
  type LibraryFile,
  type LibraryFinding,
  type LoadProgress,
  type ReadingOptions,
  type ReadLibrary,
} from '@svc/library-sync';

/** What a thread reads: only the revision if `reading` is absent. */
export interface SourceTask {
  readonly source: GitSourceOptions;
  readonly reading?: ReadingOptions | undefined;
  /** Open file for contents. */
  readonly contentFile?: number | undefined;
}

/** Messages to the thread. */
export type SourceRequest = { readonly kind: 'stop' } | ({ readonly kind: 'known' } & KnownOfDestination);

/** What a source is compared with. */
export interface KnownOfDestination {
  /** See `ReadingRun`. */
  readonly passed: ReadonlyMap<string, string>;
  readonly lastLoaded: LastLoaded | undefined;
}

/** Files with their contents concatenated in `bytes`, except those that are in the file of contents. */
interface PackedFiles {
  readonly kind: 'files';
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly files: readonly {
    readonly path: string;
    readonly hash: string;
    readonly length: number;
    /** In the file of contents. */
    readonly offset?: number | undefined;
  }[];
}

/** Messages from the thread: small pieces, so that the receiver is not blocked; finally `done` or `failed`. */
export type SourceMessage =
  | PackedFiles
  | { readonly kind: 'progress'; readonly progress: LoadProgress }
  | { readonly kind: 'folders'; readonly paths: readonly string[] }
  | { readonly kind: 'problems'; readonly problems: readonly LibraryFinding[] }
  | ({ readonly kind: 'done'; readonly server: GitServerFacts } & Pick<
      ReadLibrary,
      'revision' | 'signature' | 'isOlder'
    >)
  | {
      readonly kind: 'failed';
      readonly failure: Failure;
      readonly message: string;
    };

/** Which class the error has. */
export type Failure = 'changed' | 'unreachable' | 'configuration' | 'unverified' | 'other';

/** Maximum size of a piece. */
const PIECE = { bytes: 1 << 20, items: 1_000 };

/** Cuts a list into pieces. */
export function* pieces<T>(items: Iterable<T>): Generator<T[], void, undefined> {
  let piece: T[] = [];
  for (const item of items) {
    piece.push(item);
    if (piece.length < PIECE.items) continue;
    yield piece;
    piece = [];
  }
  if (piece.length > 0) yield piece;
}

/**
 * Packs files into pieces of about a megabyte.
 *
 * @param areShared contents in a file are sent as their places in it
 */
export function* packFiles(
  files: Library['files'],
  areShared: boolean,
): Generator<PackedFiles, void, undefined> {
  let piece: UnpackedFile[] = [];
  let length = 0;
  for (const [path, { hash, data }] of files) {
    const offset = areShared && 'read' in data ? (data as StoredContent).offset : undefined;
    piece.push({ path, hash, data, offset });
    if (offset === undefined) length += data.length;
    if (length < PIECE.bytes && piece.length < PIECE.items) continue;
    yield pack(piece, length);
    piece = [];
    length = 0;
  }
  if (piece.length > 0) yield pack(piece, length);
}

interface UnpackedFile extends LibraryFile {
  readonly path: string;
  readonly offset: number | undefined;
}

function pack(piece: readonly UnpackedFile[], length: number): PackedFiles {
  const bytes = new Uint8Array(length);
  let end = 0;
  for (const { data, offset } of piece) {
    if (offset !== undefined) continue;
    bytes.set(bytesOf(data), end);
    end += data.length;
  }
  const files = piece.map(({ path, hash, data, offset }) => ({ path, hash, length: data.length, offset }));
  return { kind: 'files', bytes, files };
}

/**
 * Reverses {@link packFiles}.
 *
 * @param shared the file of contents, if they are shared
 */
export function* unpackFiles(
  { bytes, files }: PackedFiles,
  shared?: ContentFile,
): Generator<[string, LibraryFile], void, undefined> {
  let end = 0;
  for (const { path, hash, length, offset } of files) {
    const data =
      offset === undefined ? bytes.subarray(end, (end += length)) : shared!.content(offset, length);
    yield [path, { hash, data }];
  }
}
