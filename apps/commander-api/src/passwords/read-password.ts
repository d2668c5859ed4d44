import { decodePassword, MAX_PASSWORD_BYTES } from '@svc/password-format';
import type { CommandContext } from '../command-line/command-context.js';
import { CommanderError } from '../errors/commander-error.js';
import type { Input } from '../command-line/terminal.js';
import { type FileInput, readFileAtMost, TooLargeError } from '../files/read-at-most.js';
import { type HiddenInput, promptHidden } from './prompt-hidden.js';

/** An encrypted password is up to a third longer than the password, plus header and tag. */
const MAX_INPUT_BYTES = 2 * MAX_PASSWORD_BYTES;

/**
 * Reads a password to encrypt: prompted for twice on a terminal, else all of standard input without one final line break.
 *
 * @throws {CommanderError} if the two differ
 * @throws {InvalidPasswordError} if it is not UTF-8 text
 */
export async function readNewPassword(context: CommandContext): Promise<string> {
  const { stdin, stderr, signal } = context;
  if (!isTerminal(stdin)) return decodePassword(await readStandardInput(context));
  const password = await promptHidden('Password: ', stdin, stderr, signal);
  const again = await promptHidden('Repeat the password: ', stdin, stderr, signal);
  if (password !== again)
    throw new CommanderError('failed', 'the passwords do not match; nothing was encrypted');
  return password;
}

/** Reads standard input, up to the maximum size of an encrypted password. */
export async function readStandardInput(input: FileInput): Promise<Buffer> {
  try {
    return await readFileAtMost('-', MAX_INPUT_BYTES, input);
  } catch (error) {
    if (!(error instanceof TooLargeError)) throw error;
    throw new CommanderError('failed', `standard input is longer than ${MAX_INPUT_BYTES} bytes`, {
      cause: error,
    });
  }
}

function isTerminal(input: Input): input is Input & HiddenInput {
  return input.isTTY === true && input.setRawMode !== undefined;
}
