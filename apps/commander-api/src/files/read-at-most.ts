import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { addAbortSignal, type Readable } from 'node:stream';

/** The content exceeds a limit. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';

  /** @param limit in bytes */
  constructor(readonly limit: number) {
    super(`it is larger than ${sizeText(limit)}`);
  }
}

/**
 * Reads a stream to its end, however small its chunks. An endless device or pipe is abandoned as soon as it exceeds the
 * limit.
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

/** Standard input for `-`, and a signal that stops reading. */
export interface FileInput {
  readonly stdin: Readable;
  readonly signal: AbortSignal;
}

/** Reads a file, or standard input for `-`. */
export async function readFileAtMost(
  name: string,
  limit: number,
  { stdin, signal }: FileInput,
): Promise<Buffer> {
  const stream = name === '-' ? stdin : createReadStream(name);
  return readAtMost(addAbortSignal(signal, stream), limit);
}

/**
 * Reads a file, a pipe or a device synchronously: for the configuration, which everything else needs.
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

/** @throws {TypeError} if the bytes are not UTF-8 */
export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

/** Why a file cannot be read, without its content: completes "cannot be read: …". */
export function describeReadError(error: unknown): string {
  if (error instanceof TooLargeError) return error.message;
  const { code = 'unreadable' } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'the file does not exist';
  if (code === 'EACCES') return 'permission denied (EACCES)';
  if (code === 'EISDIR') return 'it is a folder';
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'it is not UTF-8';
  return code;
}

function sizeText(bytes: number): string {
  return bytes % 1_048_576 === 0 ? `${bytes / 1_048_576} MiB` : `${bytes / 1_024} KiB`;
}
