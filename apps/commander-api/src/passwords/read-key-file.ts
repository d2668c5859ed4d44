import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { type KeyForm, MAX_KEY_FILE_BYTES } from '@svc/password-format';
import { isInlineKey } from '../config/convert-value.js';
import { isShowableKeyPath } from '../config/mask-value.js';
import { type CommanderError, configurationError } from '../errors/commander-error.js';
import { describeReadError, readAtMost } from '../files/read-at-most.js';

/** The content of a key file, and how it was found. */
export interface KeyFile {
  readonly content: Uint8Array;
  readonly mode: number;
  readonly isPipe: boolean;
}

/**
 * Reads a key file, whatever is in it.
 *
 * @param form as given before the path
 * @param place where the name was given, shown instead of the name while it may be the key itself
 * @param stdin read for `-`
 * @throws {CommanderError} `configuration`
 */
export async function readKeyFile(
  path: string,
  form: KeyForm | undefined,
  place: string,
  stdin?: Readable,
): Promise<KeyFile> {
  try {
    if (path === '-' && stdin)
      return { content: await readAtMost(stdin, MAX_KEY_FILE_BYTES), mode: 0, isPipe: true };
    const file = await open(path);
    try {
      const stats = await file.stat();
      const content = await readAtMost(file.createReadStream({ autoClose: false }), MAX_KEY_FILE_BYTES);
      return { content, mode: stats.mode, isPipe: stats.isFIFO() };
    } finally {
      await file.close();
    }
  } catch (error) {
    throw unreadable(path, form, place, error);
  }
}

function unreadable(path: string, form: KeyForm | undefined, place: string, error: unknown): CommanderError {
  if (!isShowableKeyPath(path)) {
    // Without its cause, which contains the path: logs show causes.
    return configurationError(`${place}: ${noFile(path, form)}`);
  }
  const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
  const reason = isMissing
    ? 'key file not found; create one with "svccmd keygen"'
    : `the key file cannot be read: ${describeReadError(error)}`;
  return configurationError(`${place}: ${path}: ${reason}`, error);
}

/** Why there is no such file, without its name, which may be the key itself. */
function noFile(path: string, form: KeyForm | undefined): string {
  if (form === undefined) {
    return 'key file not found; create one with "svccmd keygen", or write hex: or base64: before the key itself';
  }
  return isInlineKey(`${form}:${path}`)
    ? `what follows ${form}: is a key, not a file name; write it to a file, since every user of this machine can read the command line`
    : `what follows ${form}: is neither a file name nor a key of 16, 24 or 32 bytes`;
}
