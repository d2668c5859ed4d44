import type { GitServerFacts, GitSourceOptions } from '@svc/library-source';
import type {
  LastLoaded,
  Library,
  LibraryFile,
  LibraryFinding,
  LoadProgress,
  ReadingOptions,
  ReadLibrary,
} from '@svc/library-sync';

/** What a thread reads: only the revision if `reading` is absent. */
export interface SourceTask {
  readonly source: GitSourceOptions;
  readonly reading?: ReadingOptions | undefined;
}

/** Messages to the thread. */
export type SourceRequest = { readonly kind: 'stop' } | ({ readonly kind: 'known' } & KnownOfDestination);

/** What a source is compared with. */
export interface KnownOfDestination {
  /** See `ReadingRun`. */
  readonly passed: ReadonlyMap<string, string>;
  readonly lastLoaded: LastLoaded | undefined;
}

/** Files with their contents concatenated in `bytes`. */
interface PackedFiles {
  readonly kind: 'files';
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly files: readonly { readonly path: string; readonly hash: string; readonly length: number }[];
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

/** Packs files into pieces of about a megabyte. */
export function* packFiles(files: Library['files']): Generator<PackedFiles, void, undefined> {
  let piece: [string, LibraryFile][] = [];
  let length = 0;
  for (const entry of files) {
    piece.push(entry);
    length += entry[1].data.length;
    if (length < PIECE.bytes && piece.length < PIECE.items) continue;
    yield pack(piece, length);
    piece = [];
    length = 0;
  }
  if (piece.length > 0) yield pack(piece, length);
}

function pack(piece: readonly [string, LibraryFile][], length: number): PackedFiles {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const [, { data }] of piece) {
    bytes.set(data, offset);
    offset += data.length;
  }
  const files = piece.map(([path, { hash, data }]) => ({ path, hash, length: data.length }));
  return { kind: 'files', bytes, files };
}

/** Reverses {@link packFiles}. */
export function* unpackFiles({
  bytes,
  files,
}: PackedFiles): Generator<[string, LibraryFile], void, undefined> {
  let offset = 0;
  for (const { path, hash, length } of files) {
    yield [path, { hash, data: bytes.subarray(offset, offset + length) }];
    offset += length;
  }
}
