import type { FileInput } from '../files/read-at-most.js';
import { describeReadError, readFileAtMost } from '../files/read-at-most.js';
import { CommanderError } from '../errors/commander-error.js';

/** Maximum size of a file of declarations, in bytes. */
const MAX_FILE_BYTES = 16 * 1_048_576;

/**
 * Reads a file whose passwords are encrypted or checked.
 *
 * @throws {CommanderError} if it cannot be read; its cause may be a `TooLargeError`
 */
export async function readDocumentBytes(file: string, input: FileInput): Promise<Buffer> {
  try {
    return await readFileAtMost(file, MAX_FILE_BYTES, input);
  } catch (error) {
    input.signal.throwIfAborted();
    throw unreadable(file, error);
  }
}

/**
 * Decodes a file that is to be changed: every byte must survive.
 *
 * @throws {CommanderError} if it is not UTF-8
 */
export function decodeDocument(file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(file: string, error: unknown): CommanderError {
  const message = `${file}: the file cannot be read: ${describeReadError(error)}`;
  return new CommanderError('failed', message, { cause: error });
}
