import { addAbortSignal, Readable } from 'node:stream';
import { createInflate, inflateSync } from 'node:zlib';
import type { PackFile } from './pack-file.js';

/** An object in a pack: complete, or as a delta. */
export interface PackEntry {
  readonly offset: number;
  readonly type: number;
  /** For a delta: the base's offset in the pack, or its SHA-1. */
  readonly base: number | string;
  readonly data: Buffer;
  readonly end: number;
}

export interface EntryLimits {
  /** Called with the unpacked size beforehand; throws if that is too large. */
  readonly allow: (bytes: number) => void;
  readonly signal?: AbortSignal | undefined;
}

export const OFFSET_DELTA = 6;
export const REFERENCE_DELTA = 7;
export const OID_BYTES = 20;

/** Sizes and offsets have seven bits per byte; more bytes would exceed a safe integer. */
const MAX_NUMBER_BYTES = 7;
const MAX_HEAD_BYTES = 1 + MAX_NUMBER_BYTES + OID_BYTES;
/** Smaller data is unpacked synchronously: a stream takes far longer for small objects. */
const SMALL_BYTES = 1 << 16;
/** Limits the input of a synchronous call: compressed data can be crafted to be far longer than its content. */
const SMALL_INPUT_BYTES = 2 * SMALL_BYTES;
const CHUNK_BYTES = 1 << 18;

/**
 * @throws {RangeError} if the pack is damaged
 * @see https://git-scm.com/docs/gitformat-pack#_pack_pack_files_have_the_following_format
 */
export async function readEntry(pack: PackFile, offset: number, limits: EntryLimits): Promise<PackEntry> {
  const { type, size, base, headBytes } = readHead(pack.at(offset, MAX_HEAD_BYTES), offset);
  limits.allow(size);
  const start = offset + headBytes;
  const { data, consumed } = await inflate(pack, start, size, limits.signal);
  return { offset, type, base, data, end: start + consumed };
}

interface EntryHead extends Pick<PackEntry, 'type' | 'base'> {
  readonly size: number;
  /** What precedes the compressed data. */
  readonly headBytes: number;
}

function readHead(head: Buffer, offset: number): EntryHead {
  let pos = 0;
  let byte = head[pos++] ?? 0;
  const type = (byte >> 4) & 7;
  let size = byte & 0x0f;
  for (let factor = 16; byte >= 0x80; factor *= 128) {
    if (pos > MAX_NUMBER_BYTES) throw new RangeError('the pack is damaged: an object has no size');
    byte = head[pos++] ?? 0;
    size += (byte & 0x7f) * factor;
  }
  if (type === REFERENCE_DELTA) {
    return { type, size, base: head.toString('hex', pos, pos + OID_BYTES), headBytes: pos + OID_BYTES };
  }
  if (type !== OFFSET_DELTA) return { type, size, base: 0, headBytes: pos };
  let distance = 0;
  const first = pos;
  do {
    if (pos - first >= MAX_NUMBER_BYTES) throw new RangeError('the pack is damaged: a delta has no base');
    byte = head[pos++] ?? 0;
    distance = distance * 128 + (byte & 0x7f) + (byte >= 0x80 ? 1 : 0);
  } while (byte >= 0x80);
  return { type, size, base: offset - distance, headBytes: pos };
}

interface Inflated {
  readonly data: Buffer;
  /** Input bytes consumed. */
  readonly consumed: number;
}

async function inflate(
  pack: PackFile,
  start: number,
  size: number,
  signal: AbortSignal | undefined,
): Promise<Inflated> {
  try {
    const found = inflateSmall(pack, start, size) ?? (await inflateLarge(pack, start, size, signal));
    if (found.data.length === size) return found;
  } catch (error) {
    signal?.throwIfAborted();
    throw new RangeError('the pack is damaged: an object cannot be unpacked', { cause: error });
  }
  throw new RangeError('the pack is damaged: an object does not have its declared size');
}

/** @returns undefined if the object is large, or consumes more input than a small one should */
function inflateSmall(pack: PackFile, start: number, size: number): Inflated | undefined {
  if (size > SMALL_BYTES) return undefined;
  // One byte extra, so that a single pass suffices and longer data is detected.
  const room = Math.max(64, size + 1);
  try {
    const options = { info: true, chunkSize: room, maxOutputLength: room };
    const input = pack.at(start, Math.min(SMALL_INPUT_BYTES, bytesAfter(pack, start)));
    const found = inflateSync(input, options) as unknown as InflateResult;
    return { data: found.buffer, consumed: found.engine.bytesWritten };
  } catch (error) {
    const wantsMore = (error as NodeJS.ErrnoException).code === 'Z_BUF_ERROR';
    if (wantsMore && bytesAfter(pack, start) > SMALL_INPUT_BYTES) return undefined;
    throw error;
  }
}

/** Without the checksum at the end. */
const bytesAfter = (pack: PackFile, start: number): number => Math.max(0, pack.length - OID_BYTES - start);

/** `inflateSync`'s result with `info`; despite its name, `bytesWritten` counts consumed input. */
interface InflateResult {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

/** In chunks on the thread pool, so that the event loop is not blocked. */
async function inflateLarge(
  pack: PackFile,
  start: number,
  size: number,
  signal: AbortSignal | undefined,
): Promise<Inflated> {
  const engine = createInflate({ chunkSize: CHUNK_BYTES });
  if (signal) addAbortSignal(signal, engine);
  const input = Readable.from(chunks(pack, start), { highWaterMark: 1 });
  input.on('error', (error) => engine.destroy(error)).pipe(engine);
  try {
    const data = Buffer.allocUnsafe(size);
    let end = 0;
    for await (const chunk of engine as AsyncIterable<Buffer>) {
      if (end + chunk.length > size) throw new RangeError('an object is longer than its declared size');
      data.set(chunk, end);
      end += chunk.length;
    }
    return { data: data.subarray(0, end), consumed: engine.bytesWritten };
  } finally {
    input.destroy();
  }
}

/** Copies: the thread pool reads them later. */
function* chunks(pack: PackFile, start: number): Generator<Buffer> {
  for (let pos = start; bytesAfter(pack, pos) > 0; pos += CHUNK_BYTES) {
    yield Buffer.from(pack.at(pos, Math.min(CHUNK_BYTES, bytesAfter(pack, pos))));
  }
}
