import { readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { readMetadata } from '../mmdb/metadata.js';
import { LookupFormatError } from '../mmdb/mmdb.errors.js';
import { MAX_METADATA_BYTES } from '../mmdb/mmdb-format.js';
import { PagedTree, type ReadAt } from '../mmdb/paged-tree.js';
import { ParsedLookup } from '../mmdb/parsed-lookup.js';
import { InputFileError } from './file.errors.js';
import { openRegularFile } from './open-regular-file.js';
import { readOpenLookup, type UnzipLimits } from './read-lookup-file.js';

/** A lookup whose file is still read. */
export interface PagedLookup {
  readonly lookup: ParsedLookup;
  close(): Promise<void>;
}

/**
 * Opens a lookup file, which must not change until it is closed. Its search tree, which is most of it, stays on the disk
 * unless it is gzipped.
 *
 * @param withRecords false if only the tree is needed
 * @param limits of a gzipped one
 * @throws {InputFileError} if it cannot be read
 * @throws {LookupFormatError} if it is not a lookup file
 */
export async function openPagedLookup(
  path: string,
  withRecords = true,
  limits?: UnzipLimits,
): Promise<PagedLookup> {
  const file = await openRegularFile(path);
  try {
    const { size } = await file.stat();
    const readAt = readerOf(file, path);
    const start = new Uint8Array(Math.min(2, size));
    readAt(start, 0);
    const isZipped = start[0] === 0x1f && start[1] === 0x8b;
    const lookup = isZipped
      ? new ParsedLookup(await readOpenLookup(file, path, limits))
      : openPaged(size, readAt, withRecords);
    return { lookup, close: async () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

function openPaged(size: number, readAt: ReadAt, withRecords: boolean): ParsedLookup {
  const tail = new Uint8Array(Math.min(MAX_METADATA_BYTES, size));
  readAt(tail, size - tail.length);
  const { metadata, dataStart, dataEnd } = readMetadata(tail, size - tail.length);
  const records = new Uint8Array(withRecords ? dataEnd - dataStart : 0);
  readAt(records, dataStart);
  return new ParsedLookup(
    records,
    { metadata, dataStart: 0, dataEnd: records.length },
    new PagedTree(metadata, readAt),
  );
}

function readerOf({ fd }: FileHandle, path: string): ReadAt {
  return (target, position) => {
    let done = 0;
    try {
      for (let read = 1; read > 0 && done < target.length; done += read)
        read = readSync(fd, target, done, target.length - done, position + done);
    } catch (error) {
      throw new LookupFormatError(InputFileError.from(path, error).message, { cause: error });
    }
    if (done < target.length) throw new LookupFormatError(`${path} became shorter while it was read`);
  };
}
