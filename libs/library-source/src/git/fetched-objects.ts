import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ContentStore } from '@svc/foundation/files';
import { type GitObject, type GitObjects, type PackLimits, readPack } from './read-pack.js';
import { withTemporaryFolder } from './temporary-folders.js';

/** Of all objects, unpacked. */
const LIMITS = { maxBytes: 1024 * 1024 * 1024, maxObjects: 1_000_000 };

/** The objects of one or more packs, within common limits. */
export class FetchedObjects {
  private readonly found = new Map<string, GitObject>();
  private bytes = 0;

  /**
   * @param contents where blobs are kept
   * @param assertWhole throws if the last pack was truncated
   */
  constructor(
    private readonly contents: ContentStore,
    private readonly assertWhole: () => void,
    private readonly signal: AbortSignal,
    private readonly limits: Pick<PackLimits, 'maxBytes' | 'maxObjects'> = LIMITS,
  ) {}

  get objects(): GitObjects {
    return this.found;
  }

  /** Buffers a pack in a temporary file, so that it takes no memory while it arrives. */
  async add(pack: AsyncIterable<Buffer>): Promise<void> {
    const { signal, contents } = this;
    const objects = await withTemporaryFolder(async (folder) => {
      const file = join(folder, 'pack');
      await pipeline(pack, createWriteStream(file), { signal });
      this.assertWhole();
      const packed = await readFile(file, { signal });
      const maxBytes = this.limits.maxBytes - this.bytes;
      const maxObjects = this.limits.maxObjects - this.found.size;
      return readPack(packed, { maxBytes, maxObjects, contents, signal });
    });
    for (const [oid, object] of objects) {
      this.found.set(oid, object);
      this.bytes += object.data.length;
    }
  }
}
