/** One thing found in a source. Paths are relative to the library's root and use `/`: `Parsers/Linux/ssh.yaml`. */
export type SourceEntry =
  | { readonly kind: 'folder'; readonly path: string }
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly data: Uint8Array;
      /** The file's size, when it was not read: it is beyond `MAX_FILE_BYTES`, or all files together are too large. */
      readonly oversize?: number;
    }
  | {
      readonly kind: 'link';
      readonly path: string;
      /** Why it was not followed; absent where no link is. */
      readonly refusal?: LinkRefusal;
    }
  | {
      /** `name-encoding`: its name is not valid UTF-8, so `path` only resembles it. */
      readonly kind: 'submodule' | 'special' | 'name-encoding';
      readonly path: string;
    };

/** A link that leads out of the source, to a name that starts with a dot, nowhere, or round in a circle. */
export type LinkRefusal = 'outside' | 'hidden' | 'missing' | 'circular';

export interface SourceTree {
  /** In stable order. */
  readonly entries: readonly SourceEntry[];
  /** The commit that was read, or for a folder a fingerprint of its files' sizes and times. */
  readonly revision: string;
}

/** Says whether an entry is wanted; a folder that is not wanted is not entered. */
export type EntryFilter = (path: string, isFolder: boolean) => boolean;

/** A folder or a git repository that libraries come from. */
export interface SourceIdentity {
  /** How messages and reports call it. Never holds credentials. */
  readonly name: string;
  readonly kind: 'folder' | 'git';
  /** The place without the branch, tag or commit: sources of equal origin are versions of one library. */
  readonly origin: string;
  /**
   * The source's current revision, without reading its files: equal revisions mean equal content.
   *
   * @throws {SourceUnreachableError}
   */
  revision(signal?: AbortSignal): Promise<string>;
}

/** Where a library comes from. */
export interface LibrarySource extends SourceIdentity {
  /**
   * Reads everything the filter lets through, as it stood at one moment.
   *
   * @param createFilter is handed the text of `.libraryignore` at the root, if there is one; called again each time the
   *   source is looked at, the last time for what is returned
   * @param maxBytes of all files together: what comes after may be left unread, see `oversize`
   * @throws {SourceUnreachableError} when it cannot be read at all
   */
  read(
    createFilter: (ignoreFile: string | undefined) => EntryFilter,
    signal?: AbortSignal,
    maxBytes?: number,
  ): Promise<SourceTree>;
}

/** The source cannot be read: the host does not answer, refuses us, or has no such repository, branch or folder. */
export class SourceUnreachableError extends Error {
  override readonly name: string = 'SourceUnreachableError';
}

/** The source is changing: it can be read once it is stable. */
export class SourceChangedError extends SourceUnreachableError {
  override readonly name: string = 'SourceChangedError';
}
