import type { TimeSlice } from '@svc/foundation/files';

const COPY = 0x80;
const LONGEST_COPY_WITHOUT_SIZE = 0x10000;
/** So much is made before the clock is looked at; an instruction counts as some bytes, too. */
const BYTES_BEFORE_LOOK = 1 << 16;
const BYTES_PER_INSTRUCTION = 64;

/**
 * Makes an object from the one it is described against.
 *
 * @param allow gets the size of the result before it is made, and throws if that is too much
 * @throws {RangeError} when the delta does not fit its base
 * @see https://git-scm.com/docs/gitformat-pack#_deltified_representation
 */
export async function applyDelta(
  base: Uint8Array,
  delta: Uint8Array,
  allow: (bytes: number) => void,
  turns: TimeSlice,
): Promise<Uint8Array> {
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
    if (work < BYTES_BEFORE_LOOK) continue;
    work = 0;
    if (turns.isUsedUp) await turns.next();
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

/** The low bits of the code say which bytes of offset and size are there; the others are zero. */
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
  // Also false when a byte was missing and the sums are no numbers.
  if (!(offset + length <= base.length)) throw new RangeError('a delta copies from beyond its base');
  return base.subarray(offset, offset + length);
}

/** Seven bits a byte, the lowest first. */
function readSize(reader: DeltaReader): number {
  let size = 0;
  for (let factor = 1; ; factor *= 128) {
    const byte = reader.delta[reader.pos++];
    if (byte === undefined || factor > 2 ** 42) throw new RangeError('a delta has no size');
    size += (byte & 0x7f) * factor;
    if (byte < 0x80) return size;
  }
}
