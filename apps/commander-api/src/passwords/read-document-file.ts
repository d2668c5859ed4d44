import type { FileInput } from '../files/read-at-most.js';
import { describeReadError, readFileAtMost } from '../files/read-at-most.js';
import { CommanderError } from '../errors/commander-error.js';

/** Maximum size of a file of declarations, in bytes. */
const MAX_FILE_BYTES = 16 * 1_048_576;

/**
 * Reads a file whose passwords are encrypted or checked.
 *
 * @throws {CommanderError} if it cannot be read or is not UTF-8
 */
export async function readDocumentFile(file: string, input: FileInput): Promise<string> {
  try {
    const bytes = await readFileAtMost(file, MAX_FILE_BYTES, input);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    input.signal.throwIfAborted();
    const message = `${file}: the file cannot be read: ${describeReadError(error)}`;
    throw new CommanderError('failed', message, { cause: error });
  }
}
