import { createHash } from 'node:crypto';
import { type ContentStore, TimeSlice } from '@svc/foundation/files';
import { bytesOf, type FileContent } from '@svc/library-sync';
import { applyDelta } from './apply-delta.js';
import { OFFSET_DELTA, OID_BYTES, type PackEntry, readEntry, REFERENCE_DELTA } from './pack-entry.js';
import type { PackFile } from './pack-file.js';

export interface GitObject {
  readonly type: 'commit' | 'tree' | 'blob' | 'tag';
  readonly data: FileContent;
}

/** Objects by their SHA-1 in hex. */
export type GitObjects = ReadonlyMap<string, GitObject>;

export interface PackLimits {
  /** Maximum total size of all objects. */
  readonly maxBytes: number;
  /** Maximum number of objects: even small ones cost memory and time. */
  readonly maxObjects: number;
  /** Where blobs are kept. Default: in memory, like all other objects. */
  readonly contents?: ContentStore | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The pack exceeds a limit. */
export class PackTooLargeError extends Error {
  override readonly name = 'PackTooLargeError';
}

const TYPES: Readonly<Record<number, GitObject['type']>> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' };
export const PACK_HEADER_BYTES = 12;
const SHA1_SLICE_BYTES = 1 << 18;

/**
 * Reads every object of a self-contained pack in time linear in the size of the pack and its objects, yielding to the
 * event loop in between.
 *
 * @throws {RangeError} if the pack is damaged
 * @throws {PackTooLargeError}
 * @see https://git-scm.com/docs/gitformat-pack
 */
export async function readPack(pack: PackFile, limits: PackLimits): Promise<GitObjects> {
  const { maxObjects, signal } = limits;
  const end = pack.length - OID_BYTES;
  if (end < PACK_HEADER_BYTES) throw new RangeError('not a pack');
  const count = countObjects(pack, maxObjects);
  const timeSlice = new TimeSlice(signal);
  if ((await sha1(slices(pack, end), timeSlice)) !== pack.at(end, OID_BYTES).toString('hex')) {
    throw new RangeError('the pack is damaged: its checksum is wrong');
  }
  const objects = new PackObjects(limits, timeSlice);
  const allow = (size: number): void => objects.allow(size);
  let pos = PACK_HEADER_BYTES;
  for (let rest = count; rest > 0; rest -= 1) {
    const entry = await readEntry(pack, pos, { allow, signal });
    await objects.add(entry);
    pos = entry.end;
    if (timeSlice.isUsedUp) await timeSlice.next();
  }
  return objects.complete();
}

/**
 * The number of objects, which precedes them.
 *
 * @param pack at least its first {@link PACK_HEADER_BYTES}
 * @throws {RangeError} if it is not a pack
 * @throws {PackTooLargeError}
 */
export function countObjects(pack: PackFile, maxObjects: number): number {
  const header = pack.at(0, PACK_HEADER_BYTES);
  if (header.toString('latin1', 0, 4) !== 'PACK') throw new RangeError('not a pack');
  const count = header.readUInt32BE(8);
  if (count > maxObjects) throw new PackTooLargeError(`it has ${count} objects, more than ${maxObjects}`);
  return count;
}

class PackObjects {
  private readonly byOid = new Map<string, GitObject>();
  private readonly byOffset = new Map<number, GitObject>();
  /** Deltas whose base has not been read yet, by the base's offset or SHA-1. */
  private readonly waiting = new Map<number | string, PackEntry[]>();
  private bytes = 0;

  constructor(
    private readonly limits: PackLimits,
    private readonly timeSlice: TimeSlice,
  ) {}

  async add(entry: PackEntry): Promise<void> {
    const type = TYPES[entry.type];
    if (type) return this.put(entry.offset, type, entry.data);
    if (entry.type !== OFFSET_DELTA && entry.type !== REFERENCE_DELTA) {
      throw new RangeError('the pack is damaged: an object has no type');
    }
    const { base } = entry;
    const origin = typeof base === 'number' ? this.byOffset.get(base) : this.byOid.get(base);
    if (origin) return this.put(entry.offset, origin.type, await this.apply(entry, origin));
    const others = this.waiting.get(base);
    if (others) others.push(entry);
    else this.waiting.set(base, [entry]);
  }

  /** @throws {PackTooLargeError} if that many more bytes exceed the limit */
  allow(bytes: number): void {
    this.bytes += bytes;
    const { maxBytes } = this.limits;
    if (this.bytes > maxBytes) {
      throw new PackTooLargeError(`its objects have more than ${Math.round(maxBytes / 1048576)} MiB`);
    }
  }

  complete(): GitObjects {
    if (this.waiting.size > 0) {
      throw new RangeError('the pack is damaged: an object that others need is missing');
    }
    return this.byOid;
  }

  /** Stores an object, then resolves the deltas waiting for it, transitively. */
  private async put(offset: number, type: GitObject['type'], data: Buffer): Promise<void> {
    const ready: { entry: PackEntry; origin: GitObject }[] = [];
    await this.keep(offset, type, data, ready);
    for (let next = ready.pop(); next; next = ready.pop()) {
      const { entry, origin } = next;
      await this.keep(entry.offset, origin.type, await this.apply(entry, origin), ready);
      if (this.timeSlice.isUsedUp) await this.timeSlice.next();
    }
  }

  private async keep(
    offset: number,
    type: GitObject['type'],
    data: Buffer,
    ready: { entry: PackEntry; origin: GitObject }[],
  ): Promise<void> {
    const oid = await oidOf(type, data, this.timeSlice);
    const { contents } = this.limits;
    const object = { type, data: contents && type === 'blob' ? contents.keep(data) : data };
    this.byOffset.set(offset, object);
    this.byOid.set(oid, object);
    for (const base of [offset, oid]) {
      for (const entry of this.waiting.get(base) ?? []) ready.push({ entry, origin: object });
      this.waiting.delete(base);
    }
  }

  private async apply({ data }: PackEntry, base: GitObject): Promise<Buffer> {
    return applyDelta(bytesOf(base.data), data, (bytes) => this.allow(bytes), this.timeSlice);
  }
}

/** @see https://git-scm.com/book/en/v2/Git-Internals-Git-Objects */
async function oidOf(type: GitObject['type'], data: Buffer, timeSlice: TimeSlice): Promise<string> {
  return sha1([Buffer.from(`${type} ${data.length}\0`), data], timeSlice);
}

async function sha1(parts: Iterable<Uint8Array>, timeSlice: TimeSlice): Promise<string> {
  const digest = createHash('sha1');
  for (const part of parts) {
    for (let pos = 0; pos < part.length; pos += SHA1_SLICE_BYTES) {
      digest.update(part.subarray(pos, pos + SHA1_SLICE_BYTES));
      if (timeSlice.isUsedUp) await timeSlice.next();
    }
  }
  return digest.digest('hex');
}

function* slices(pack: PackFile, end: number): Generator<Buffer> {
  for (let pos = 0; pos < end; pos += SHA1_SLICE_BYTES) {
    yield pack.at(pos, Math.min(SHA1_SLICE_BYTES, end - pos));
  }
}
