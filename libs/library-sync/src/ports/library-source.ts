import type { FileContent } from './file-content.js';
import type { LibraryFinding } from './library-finding.js';

/** One thing found in a source. Paths are relative to the library's root and use `/`: `Parsers/Linux/ssh.yaml`. */
export type SourceEntry =
  | { readonly kind: 'folder'; readonly path: string }
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly data: FileContent;
      /** The size of a file that was not read because it, or the total, is too large. */
      readonly oversize?: number;
    }
  | {
      readonly kind: 'link';
      readonly path: string;
      /** Why it was not followed; absent if the source never follows links. */
      readonly refusal?: LinkRefusal;
    }
  | {
      /** `name-encoding`: its name is not valid UTF-8, so `path` is only an approximation. */
      readonly kind: 'submodule' | 'special' | 'name-encoding';
      readonly path: string;
    };

/** The link leads out of the source, to a name starting with a dot, nowhere, or in a circle. */
export type LinkRefusal = 'outside' | 'hidden' | 'missing' | 'circular';

export interface SourceTree {
  /** In stable order. */
  readonly entries: readonly SourceEntry[];
  /** The commit, or for a folder a fingerprint of its files' sizes and times. */
  readonly revision: string;
  /** Absent if signatures are not verified. */
  readonly signature?: SourceSignature | undefined;
  /** True if it does not descend from the revision loaded last, which the caller accepted. */
  readonly isOlder?: boolean;
  readonly warnings?: readonly LibraryFinding[];
}

/** The revision of a source's most recent load, or why it is unknown. */
export type LastLoaded = { readonly revision: string } | { readonly unknown: string };

/** Who signed a revision. Property names are those of records and responses. */
export interface SourceSignature {
  /** The names of the key in the list of allowed signers. */
  readonly signed_by: string;
  /** The key's fingerprint. */
  readonly signing_key: string;
  /** ISO 8601, as claimed by the signer. */
  readonly signed_at: string;
}

/** Returns whether to read an entry; an excluded folder is not entered. */
export type EntryFilter = (path: string, isFolder: boolean) => boolean;

/** Identifies a folder or git repository. */
export interface SourceIdentity {
  /** Name for messages and reports. Never contains credentials. */
  readonly name: string;
  readonly kind: 'folder' | 'git';
  /** The address without branch, tag or commit: sources with the same origin are versions of one library. */
  readonly origin: string;
  /**
   * The source's current revision, without reading its files: equal revisions mean equal content.
   *
   * @throws {SourceUnreachableError}
   */
  revision(signal?: AbortSignal): Promise<string>;
  /** Frees what reading it keeps outside memory: contents cannot be read any more. */
  release?(): void;
}

/** Where a library comes from. */
export interface LibrarySource extends SourceIdentity {
  /**
   * Reads a consistent snapshot of everything that passes the filter.
   *
   * @param createFilter called with the root's `.libraryignore`, if any, once per pass over the source; the last
   *   call's filter applies to the result
   * @param maxBytes limit for all files together; files beyond it may be left unread, see `oversize`
   * @param lastLoaded finds the revision of this source's most recent load; undefined if there was none
   * @throws {SourceUnreachableError} if it cannot be read at all
   * @throws {SourceConfigurationError} if its signature cannot be verified because of a setting
   * @throws {UnverifiedSourceError} if its signature or its history does not meet the requirements
   */
  read(
    createFilter: (ignoreFile: string | undefined) => EntryFilter,
    signal?: AbortSignal,
    maxBytes?: number,
    lastLoaded?: () => Promise<LastLoaded | undefined>,
  ): Promise<SourceTree>;
}

/** The host is unreachable, denies access, or has no such repository, branch or folder. */
export class SourceUnreachableError extends Error {
  override readonly name: string = 'SourceUnreachableError';
}

/** A file that a setting names cannot be used. Retrying makes sense, since the file can be corrected at any time. */
export class SourceConfigurationError extends Error {
  override readonly name = 'SourceConfigurationError';
}

/** The revision has no valid signature of an allowed signer, or does not descend from the one loaded last. */
export class UnverifiedSourceError extends Error {
  override readonly name = 'UnverifiedSourceError';
}

/** The source is being changed; it can be read once it is stable. */
export class SourceChangedError extends SourceUnreachableError {
  override readonly name: string = 'SourceChangedError';
}
