import { spawn } from 'node:child_process';
import { MAX_KEY_FILE_BYTES } from '@svc/password-format';
import { splitCommand } from '../config/split-command.js';
import { readAtMost, TooLargeError } from '../files/read-at-most.js';
import { configurationError } from './read-key-file.js';

/** Long enough to type a passphrase. */
const DEADLINE_MS = 60_000;

/**
 * Runs a command that prints a key, without a shell. What it prints, on either stream, appears in no message and no log.
 *
 * @param place where the command was set, for messages: the command itself may hold secrets
 * @throws {CommanderError} `configuration`
 */
export async function runKeyCommand(
  command: string,
  place: string,
  deadlineMs = DEADLINE_MS,
): Promise<Buffer> {
  const [program = '', ...args] = splitCommand(command) ?? [];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  let failure: string | undefined;
  const fail = (reason: string): void => {
    failure ??= reason;
    child.kill('SIGKILL');
    // A program that it started may keep the pipe open.
    child.stdout.destroy();
  };
  const timer = setTimeout(() => fail(`did not end within ${deadlineMs / 1000} s`), deadlineMs);
  const ended = new Promise<string | undefined>((resolve) => {
    child.once('error', ({ code }: NodeJS.ErrnoException) => resolve(`cannot be run (${code})`));
    child.once('close', (code, signal) => resolve(code === 0 ? undefined : endText(code, signal)));
  });
  const output = readAtMost(child.stdout, MAX_KEY_FILE_BYTES).catch((error: unknown) => {
    fail(error instanceof TooLargeError ? `printed more than ${MAX_KEY_FILE_BYTES} bytes` : 'was cut off');
    return Buffer.alloc(0);
  });
  const [content, end] = await Promise.all([output, ended]).finally(() => clearTimeout(timer));
  failure ??= end ?? (content.length === 0 ? 'printed nothing' : undefined);
  if (failure !== undefined) throw configurationError(`${place} ${failure}; run it yourself to see why`);
  return content;
}

function endText(code: number | null, signal: NodeJS.Signals | null): string {
  return signal ? `was ended by ${signal}` : `exited with ${code}`;
}
