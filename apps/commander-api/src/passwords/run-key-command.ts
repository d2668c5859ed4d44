import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { MAX_KEY_FILE_BYTES } from '@svc/password-format';
import { configurationError } from '../errors/commander-error.js';
import { splitCommand } from '../config/split-command.js';

/** Long enough to type a passphrase. */
const DEADLINE_MS = 60_000;

/** Time to read the rest of the pipe after the command has ended; a program that it started may keep it open for longer. */
const AFTER_EXIT_MS = 1_000;

export interface KeyCommandOptions {
  readonly deadlineMs?: number;
  /** Ends the command. */
  readonly signal?: AbortSignal | undefined;
  /** Leaves the command in our session, so that it can prompt on our terminal; then Ctrl-C reaches it as well. */
  readonly hasTerminal?: boolean;
}

/**
 * Runs a command that prints a key, without a shell. Its output, on either stream, appears in no message and no log. Unless
 * `hasTerminal` is set, programs that it started are killed as well, except in other process groups.
 *
 * @param place where the command was set, for messages: the command itself may hold secrets
 * @throws {CommanderError} `configuration`
 * @throws when `signal` is aborted
 */
export async function runKeyCommand(
  command: string,
  place: string,
  { deadlineMs = DEADLINE_MS, signal, hasTerminal = false }: KeyCommandOptions = {},
): Promise<Buffer> {
  signal?.throwIfAborted();
  const [program = '', ...args] = splitCommand(command) ?? [];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'], detached: !hasTerminal });
  const abandoned = new AbortController();
  const stop = (): void => {
    if (!end(child, !hasTerminal)) abandoned.abort();
  };
  let failure: string | undefined;
  const fail = (reason: string): void => {
    failure ??= reason;
    stop();
  };
  const deadline = setTimeout(() => fail(`did not end within ${deadlineMs / 1000} s`), deadlineMs);
  const onAbort = () => fail('was interrupted');
  signal?.addEventListener('abort', onAbort);
  const output = collect(child.stdout, () => fail(`printed more than ${MAX_KEY_FILE_BYTES} bytes`));
  try {
    const reason = await ended(child, stop, abandoned.signal);
    failure ??= reason;
  } finally {
    clearTimeout(deadline);
    signal?.removeEventListener('abort', onAbort);
    stop();
  }
  signal?.throwIfAborted();
  const content = Buffer.concat(output);
  failure ??= content.length === 0 ? 'printed nothing' : undefined;
  if (failure !== undefined) throw configurationError(`${place} ${failure}; run it yourself to see why`);
  return content;
}

/** The chunks read so far; too many bytes are not kept. */
function collect(stream: Readable, onTooMuch: () => void): readonly Buffer[] {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_KEY_FILE_BYTES) onTooMuch();
    else chunks.push(chunk);
  });
  // Destroying the stream ourselves is not a failure.
  stream.on('error', () => undefined);
  return chunks;
}

/** @returns how the command failed, if it did and was not abandoned */
async function ended(
  child: ChildProcess,
  stop: () => void,
  abandoned: AbortSignal,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    abandoned.addEventListener('abort', () => resolve(undefined));
    // Killing may fail more than once.
    child.on('error', ({ code }: NodeJS.ErrnoException) => resolve(`cannot be run (${code})`));
    child.once('exit', () => {
      const timer = setTimeout(stop, AFTER_EXIT_MS);
      child.once('close', () => clearTimeout(timer));
    });
    child.once('close', (code, signal) => resolve(code === 0 ? undefined : endText(code, signal)));
  });
}

/**
 * Kills the command, with its process group if it has its own, and closes the pipe.
 *
 * @returns false if the command goes on: it runs as another user
 */
function end(child: ChildProcess, isGroup: boolean): boolean {
  child.stdout?.destroy();
  if (child.pid === undefined) return true;
  try {
    if (isGroup) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
    return true;
  } catch (error) {
    const isGone = (error as NodeJS.ErrnoException).code === 'ESRCH';
    return isGone || child.exitCode !== null || child.signalCode !== null;
  }
}

function endText(code: number | null, signal: NodeJS.Signals | null): string {
  return signal ? `was ended by ${signal}` : `exited with ${code}`;
}
