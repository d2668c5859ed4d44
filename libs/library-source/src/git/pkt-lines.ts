/** Bytes of the length in front of a line, which counts itself. */
const LENGTH_BYTES = 4;
const LONGEST_LINE = 65_520;

/** A special line: the end of a section. */
export const FLUSH = '0000';

/**
 * One line as git's protocols frame it.
 *
 * @see https://git-scm.com/docs/protocol-common#_pkt_line_format
 */
export function pktLine(text: string): string {
  return (Buffer.byteLength(text) + LENGTH_BYTES).toString(16).padStart(LENGTH_BYTES, '0') + text;
}

/**
 * Cuts a stream into its lines; `undefined` stands for a special one (flush and the like).
 *
 * @throws {Error} when it is not such a stream, or ends within a line
 */
export async function* readPktLines(
  stream: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer | undefined, void, undefined> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of stream) {
    let data: Buffer = rest.length > 0 ? Buffer.concat([rest, chunk]) : toBuffer(chunk);
    while (data.length >= LENGTH_BYTES) {
      const length = lengthOf(data);
      if (length < LENGTH_BYTES) {
        yield undefined;
        data = data.subarray(LENGTH_BYTES);
        continue;
      }
      if (data.length < length) break;
      yield data.subarray(LENGTH_BYTES, length);
      data = data.subarray(length);
    }
    rest = data;
  }
  if (rest.length > 0) throw new Error('the answer ends within a line');
}

function lengthOf(data: Buffer): number {
  const digits = data.toString('latin1', 0, LENGTH_BYTES);
  const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
  if (!(length <= LONGEST_LINE)) throw new Error("the answer is not in git's protocol");
  return length;
}

function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
