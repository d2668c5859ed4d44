import { decodePassword, MAX_PASSWORD_BYTES } from '@svc/password-format';
import { CommandError } from '../cli/exit-code.js';
import { readFileAtMost, TooLargeError } from '../files/read-at-most.js';
import { promptHidden } from './prompt-hidden.js';

/** The largest encrypted password is a third longer than the password, with its header and tag. */
const MAX_INPUT_BYTES = 2 * MAX_PASSWORD_BYTES;

/**
 * A password to be encrypted: asked for twice on a terminal, else all of standard input less one line break at its end.
 *
 * @throws {CommandError} when the two differ
 * @throws {InvalidPasswordError} when it is no text
 */
export async function readNewPassword(signal: AbortSignal): Promise<string> {
  if (!process.stdin.isTTY) return decodePassword(await readStandardInput(signal));
  const password = await promptHidden('Password: ', process.stdin, process.stderr, signal);
  const again = await promptHidden('Once more: ', process.stdin, process.stderr, signal);
  if (password !== again) throw new CommandError('the two passwords differ; nothing was encrypted');
  return password;
}

/** All of standard input, up to what a password can be. */
export async function readStandardInput(signal: AbortSignal): Promise<Buffer> {
  try {
    return await readFileAtMost('-', MAX_INPUT_BYTES, signal);
  } catch (error) {
    if (!(error instanceof TooLargeError)) throw error;
    throw new CommandError(`standard input has more than ${MAX_INPUT_BYTES} bytes`, undefined, {
      cause: error,
    });
  }
}
