import type { TimeSlice } from '@svc/foundation/files';

const COPY = 0x80;
const LONGEST_COPY_WITHOUT_SIZE = 0x10000;
/** Bytes produced between checks of the clock; each instruction also counts as some bytes. */
const BYTES_PER_CHECK = 1 << 16;
const BYTES_PER_INSTRUCTION = 64;

/**
 * Applies a delta to its base object.
 *
 * @param allow called with the result's size beforehand; throws if that is too large
 * @throws {RangeError} if the delta does not fit its base
 * @see https://git-scm.com/docs/gitformat-pack#_deltified_representation
 */
export async function applyDelta(
  base: Uint8Array,
  delta: Uint8Array,
  allow: (bytes: number) => void,
  timeSlice: TimeSlice,
): Promise<Buffer> {
  const reader = { delta, pos: 0 };
  if (readSize(reader) !== base.length) throw new RangeError('a delta does not fit its base');
  const size = readSize(reader);
  allow(size);
  const result = Buffer.allocUnsafe(size);
  let end = 0;
  let work = 0;
  while (reader.pos < delta.length) {
    const code = delta[reader.pos++]!;
    const piece = (code & COPY) === 0 ? readInsertion(reader, code) : readCopy(reader, code, base);
    if (end + piece.length > size) throw new RangeError('a delta produces more than its declared size');
    result.set(piece, end);
    end += piece.length;
    work += piece.length + BYTES_PER_INSTRUCTION;
    if (work < BYTES_PER_CHECK) continue;
    work = 0;
    if (timeSlice.isUsedUp) await timeSlice.next();
  }
  if (end !== size) throw new RangeError('a delta produces less than its declared size');
  return result;
}

interface DeltaReader {
  readonly delta: Uint8Array;
  pos: number;
}

function readInsertion(reader: DeltaReader, length: number): Uint8Array {
  const piece = reader.delta.subarray(reader.pos, (reader.pos += length));
  if (length === 0 || piece.length !== length) throw new RangeError('a delta ends too soon');
  return piece;
}

/** The code's low bits say which bytes of offset and size are present; absent ones are zero. */
function readCopy(reader: DeltaReader, code: number, base: Uint8Array): Uint8Array {
  let offset = 0;
  let size = 0;
  for (let byte = 0; byte < 4; byte += 1) {
    if (code & (1 << byte)) offset += reader.delta[reader.pos++]! * 256 ** byte;
  }
  for (let byte = 0; byte < 3; byte += 1) {
    if (code & (0x10 << byte)) size += reader.delta[reader.pos++]! * 256 ** byte;
  }
  const length = size === 0 ? LONGEST_COPY_WITHOUT_SIZE : size;
  // Also false if a byte was missing, making the sum NaN.
  if (!(offset + length <= base.length)) throw new RangeError('a delta copies from beyond its base');
  return base.subarray(offset, offset + length);
}

/** Little-endian, seven bits per byte. */
function readSize(reader: DeltaReader): number {
  let size = 0;
  for (let factor = 1; ; factor *= 128) {
    const byte = reader.delta[reader.pos++];
    if (byte === undefined || factor > 2 ** 42) throw new RangeError('a delta has no size');
    size += (byte & 0x7f) * factor;
    if (byte < 0x80) return size;
  }
}
