import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { inflateSync } from 'node:zlib';
import { applyDelta } from './apply-delta.js';

export interface GitObject {
  readonly type: 'commit' | 'tree' | 'blob' | 'tag';
  readonly data: Uint8Array;
}

/** Objects by their SHA-1 in hex. */
export type GitObjects = ReadonlyMap<string, GitObject>;

export interface PackLimits {
  /** Most bytes that all objects together may have. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** The pack holds more than is allowed. */
export class PackTooLargeError extends Error {
  override readonly name = 'PackTooLargeError';
}

const TYPES: Readonly<Record<number, GitObject['type']>> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' };
const OFFSET_DELTA = 6;
const REFERENCE_DELTA = 7;
const HEADER_BYTES = 12;
const OID_BYTES = 20;
/** Others (a session's pings, requests) get their turn after so much. */
const BYTES_BEFORE_PAUSE = 1 << 20;

/**
 * Reads every object of a pack that needs no other.
 *
 * @throws {RangeError} when it is damaged
 * @throws {PackTooLargeError}
 * @see https://git-scm.com/docs/gitformat-pack
 */
export async function readPack(pack: Buffer, { maxBytes, signal }: PackLimits): Promise<GitObjects> {
  const objects = new PackObjects(maxBytes);
  const end = pack.length - OID_BYTES;
  if (pack.toString('latin1', 0, 4) !== 'PACK' || end < HEADER_BYTES) throw new RangeError('it is no pack');
  if (!createHash('sha1').update(pack.subarray(0, end)).digest().equals(pack.subarray(end))) {
    throw new RangeError('the pack is damaged: its checksum is wrong');
  }
  let bytes = 0;
  let pos = HEADER_BYTES;
  for (let rest = pack.readUInt32BE(8); rest > 0; rest -= 1) {
    const entry = readEntry(pack, pos, (size) => objects.allow(size));
    objects.add(entry);
    pos = entry.end;
    if ((bytes += entry.data.length) > BYTES_BEFORE_PAUSE) {
      bytes = 0;
      await setImmediate();
      signal?.throwIfAborted();
    }
  }
  return objects.complete();
}

interface PackEntry {
  readonly offset: number;
  readonly type: number;
  /** Of a delta: where its base is in the pack, or the base's SHA-1. */
  readonly base: number | string;
  readonly data: Uint8Array;
  readonly end: number;
}

function readEntry(pack: Buffer, offset: number, allow: (bytes: number) => void): PackEntry {
  let pos = offset;
  let byte = pack[pos++] ?? 0;
  const type = (byte >> 4) & 7;
  let size = byte & 0x0f;
  for (let factor = 16; byte >= 0x80; factor *= 128) {
    byte = pack[pos++] ?? 0;
    size += (byte & 0x7f) * factor;
  }
  let base: number | string = 0;
  if (type === OFFSET_DELTA) {
    let distance = 0;
    do {
      byte = pack[pos++] ?? 0;
      distance = distance * 128 + (byte & 0x7f) + (byte >= 0x80 ? 1 : 0);
    } while (byte >= 0x80);
    base = offset - distance;
  } else if (type === REFERENCE_DELTA) {
    base = pack.toString('hex', pos, (pos += OID_BYTES));
  }
  allow(size);
  const { data, consumed } = inflate(pack.subarray(pos, pack.length - OID_BYTES), size);
  return { offset, type, base, data, end: pos + consumed };
}

function inflate(input: Buffer, size: number): { data: Buffer; consumed: number } {
  try {
    // One byte more than expected: so one turn is enough, and what is longer is found out.
    const options = {
      info: true,
      chunkSize: Math.max(64, size + 1),
      maxOutputLength: Math.max(64, size + 1),
    };
    const { buffer, engine } = inflateSync(input, options) as unknown as InflateResult;
    if (buffer.length === size) return { data: buffer, consumed: engine.bytesWritten };
  } catch (error) {
    throw new RangeError('the pack is damaged: an object cannot be unpacked', { cause: error });
  }
  throw new RangeError('the pack is damaged: an object has another size than it says');
}

/** What `inflateSync` gives with `info`; `bytesWritten` counts what was taken of the input. */
interface InflateResult {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

class PackObjects {
  private readonly byOid = new Map<string, GitObject>();
  private readonly byOffset = new Map<number, GitObject>();
  private waiting: PackEntry[] = [];
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  add(entry: PackEntry): void {
    const type = TYPES[entry.type];
    if (type) this.put(entry.offset, { type, data: entry.data });
    else if (entry.type !== OFFSET_DELTA && entry.type !== REFERENCE_DELTA) {
      throw new RangeError('the pack is damaged: an object has no type');
    } else if (!this.resolve(entry)) this.waiting.push(entry);
  }

  /** @throws {PackTooLargeError} when so many bytes more are too many */
  allow(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > this.maxBytes) {
      throw new PackTooLargeError(`its objects have more than ${Math.round(this.maxBytes / 1048576)} MiB`);
    }
  }

  /** A delta may stand before its base. */
  complete(): GitObjects {
    while (this.waiting.length > 0) {
      const rest = this.waiting.filter((entry) => !this.resolve(entry));
      if (rest.length === this.waiting.length) {
        throw new RangeError('the pack is damaged: an object that others need is missing');
      }
      this.waiting = rest;
    }
    return this.byOid;
  }

  private resolve({ offset, base, data }: PackEntry): boolean {
    const origin = typeof base === 'number' ? this.byOffset.get(base) : this.byOid.get(base);
    if (!origin) return false;
    const { type } = origin;
    this.put(offset, { type, data: applyDelta(origin.data, data, (bytes) => this.allow(bytes)) });
    return true;
  }

  private put(offset: number, object: GitObject): void {
    this.byOffset.set(offset, object);
    this.byOid.set(oidOf(object), object);
  }
}

/** @see https://git-scm.com/book/en/v2/Git-Internals-Git-Objects */
function oidOf({ type, data }: GitObject): string {
  return createHash('sha1').update(`${type} ${data.length}\0`).update(data).digest('hex');
}
