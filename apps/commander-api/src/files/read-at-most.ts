import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { addAbortSignal, type Readable } from 'node:stream';

/** There is more to read than its reader takes. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';

  /** @param limit in bytes */
  constructor(readonly limit: number) {
    super(`it is larger than ${sizeText(limit)}`);
  }
}

/**
 * All that a stream has to give, however small the pieces in which a pipe hands it over. A device or pipe without end is
 * left as soon as it has given more than the limit.
 *
 * @param limit in bytes
 * @throws {TooLargeError} and what the stream fails with
 */
export async function readAtMost(stream: AsyncIterable<Buffer>, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > limit) throw new TooLargeError(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** What `-` names, and what ends the reading. */
export interface FileInput {
  readonly stdin: Readable;
  readonly signal: AbortSignal;
}

/** The same of a file; `-` is standard input. */
export async function readFileAtMost(
  name: string,
  limit: number,
  { stdin, signal }: FileInput,
): Promise<Buffer> {
  const stream = name === '-' ? stdin : createReadStream(name);
  return readAtMost(addAbortSignal(signal, stream), limit);
}

/**
 * The same of a file, a pipe or a device, at once: for what must be known before anything else.
 *
 * @throws {TooLargeError} and the errors of `node:fs`
 */
export function readAtMostSync(path: string, limit: number): Buffer {
  const chunks: Buffer[] = [];
  let size = 0;
  const file = openSync(path, 'r');
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(Math.min(65_536, limit + 1 - size));
      const read = readSync(file, chunk);
      if (read === 0) return Buffer.concat(chunks);
      size += read;
      if (size > limit) throw new TooLargeError(limit);
      chunks.push(chunk.subarray(0, read));
    }
  } finally {
    closeSync(file);
  }
}

/** Bytes as UTF-8, which they must be. */
export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

/** Why a file cannot be read, without what stands in it: goes on after "cannot be read" or the like. */
export function readFault(error: unknown): string {
  if (error instanceof TooLargeError) return error.message;
  const { code = 'unreadable' } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EACCES') return 'no right to (EACCES)';
  if (code === 'EISDIR') return 'it is a folder';
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'it is not UTF-8';
  return code;
}

function sizeText(bytes: number): string {
  return bytes % 1_048_576 === 0 ? `${bytes / 1_048_576} MiB` : `${bytes / 1_024} KiB`;
}
