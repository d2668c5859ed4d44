/** Size of a line's length prefix, which includes itself. */
const LENGTH_BYTES = 4;
const MAX_LINE_LENGTH = 65_520;
const FLUSH_LENGTH = 0;

/** Special packet that ends a message. */
export const FLUSH = '0000';

/** Special packet that separates the sections of a message, in protocol version 2. */
export const DELIMITER = '0001';

/** The server refuses, or its answer is not what git's protocol expects. */
export class GitAnswerError extends Error {
  override readonly name = 'GitAnswerError';
}

/** Servers may send a line `ERR <reason>` in place of any other. */
export function throwIfRefused(line: Buffer): void {
  const text = line.toString('utf8', 0, MAX_LINE_LENGTH).trim();
  if (text.startsWith('ERR ')) throw new GitAnswerError(`the server says: ${text.slice('ERR '.length)}`);
}

/**
 * Encodes a line in git's pkt-line format.
 *
 * @see https://git-scm.com/docs/protocol-common#_pkt_line_format
 */
export function pktLine(text: string): string {
  return (Buffer.byteLength(text) + LENGTH_BYTES).toString(16).padStart(LENGTH_BYTES, '0') + text;
}

/**
 * Splits a stream into pkt-lines; `undefined` stands for the end of a message (flush). Section delimiters are omitted.
 *
 * @throws {GitAnswerError} if it is not a pkt-line stream, or ends within a line
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
        if (length === FLUSH_LENGTH) yield undefined;
        data = data.subarray(LENGTH_BYTES);
        continue;
      }
      if (data.length < length) break;
      yield data.subarray(LENGTH_BYTES, length);
      data = data.subarray(length);
    }
    rest = data;
  }
  if (rest.length > 0) throw new GitAnswerError('the response ends in the middle of a line');
}

function lengthOf(data: Buffer): number {
  const digits = data.toString('latin1', 0, LENGTH_BYTES);
  const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
  if (!(length <= MAX_LINE_LENGTH) || length === LENGTH_BYTES - 1)
    throw new GitAnswerError("the response is not in git's protocol");
  return length;
}

function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
