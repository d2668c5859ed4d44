import type { ContentStore } from '@svc/foundation/files';
import { PackFile } from './pack-file.js';
import {
  countObjects,
  type GitObject,
  type GitObjects,
  PACK_HEADER_BYTES,
  type PackLimits,
  readPack,
} from './read-pack.js';

/** Limits on all objects, unpacked. */
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

  async add(pack: AsyncIterable<Buffer>): Promise<void> {
    const file = new PackFile();
    try {
      for await (const data of pack) {
        this.signal.throwIfAborted();
        const isStarting = file.length < PACK_HEADER_BYTES;
        file.append(data);
        // Before the rest is received.
        if (isStarting && file.length >= PACK_HEADER_BYTES) countObjects(file, this.freeObjects);
      }
      this.assertWhole();
      await this.unpack(file);
    } finally {
      file.close();
    }
  }

  private get freeObjects(): number {
    return this.limits.maxObjects - this.found.size;
  }

  private async unpack(pack: PackFile): Promise<void> {
    const { signal, contents } = this;
    const maxBytes = this.limits.maxBytes - this.bytes;
    const objects = await readPack(pack, { maxBytes, maxObjects: this.freeObjects, contents, signal });
    for (const [oid, object] of objects) {
      this.found.set(oid, object);
      this.bytes += object.data.length;
    }
  }
}
