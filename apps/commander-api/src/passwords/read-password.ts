import { decodePassword, MAX_PASSWORD_BYTES } from '@svc/password-format';
import type { CommandContext } from '../command-line/command-context.js';
import { CommanderError } from '../errors/commander-error.js';
import type { Input } from '../command-line/terminal.js';
import { type FileInput, readFileAtMost, TooLargeError } from '../files/read-at-most.js';
import { type HiddenInput, promptHidden } from './prompt-hidden.js';

/** The largest encrypted password is a third longer than the password, with its header and tag. */
const MAX_INPUT_BYTES = 2 * MAX_PASSWORD_BYTES;

/**
 * A password to be encrypted: asked for twice on a terminal, else all of standard input less one line break at its end.
 *
 * @throws {CommanderError} when the two differ
 * @throws {InvalidPasswordError} when it is no text
 */
export async function readNewPassword(context: CommandContext): Promise<string> {
  const { stdin, stderr, signal } = context;
  if (!isTerminal(stdin)) return decodePassword(await readStandardInput(context));
  const password = await promptHidden('Password: ', stdin, stderr, signal);
  const again = await promptHidden('Once more: ', stdin, stderr, signal);
  if (password !== again)
    throw new CommanderError('failed', 'the two passwords differ; nothing was encrypted');
  return password;
}

/** All of standard input, up to what a password can be. */
export async function readStandardInput(input: FileInput): Promise<Buffer> {
  try {
    return await readFileAtMost('-', MAX_INPUT_BYTES, input);
  } catch (error) {
    if (!(error instanceof TooLargeError)) throw error;
    throw new CommanderError('failed', `standard input has more than ${MAX_INPUT_BYTES} bytes`, {
      cause: error,
    });
  }
}

function isTerminal(input: Input): input is Input & HiddenInput {
  return input.isTTY === true && input.setRawMode !== undefined;
}
