import { createInterface } from 'node:readline';
import type { CommandContext } from './command-context.js';
import { CommanderError } from '../errors/commander-error.js';
import type { Input } from './terminal.js';

/** What is to be agreed to before it is done. */
export interface Confirmation {
  /** What will be done, and to what: one question without its mark. */
  readonly question: string;
  /** True when `--yes` was given. */
  readonly given: boolean;
}

/**
 * Returns when a person agrees, on the terminal or by `--yes` beforehand.
 *
 * @throws {CommanderError} when they do not, or when there is no terminal to ask on
 */
export async function confirm(
  { stdin, stderr, signal }: CommandContext,
  { question, given }: Confirmation,
): Promise<void> {
  if (given) return;
  if (!stdin.isTTY) {
    throw new CommanderError('usage', `${question}: nobody can be asked here; give --yes if it is meant`);
  }
  stderr.write(`${question}? [y/N] `);
  const answer = await readLine(stdin, signal);
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommanderError('failed', 'nothing was changed');
}

/** A line in the terminal's own editing mode, so that Ctrl-C reaches the process as a signal; empty at the end of input. */
function readLine(input: Input, signal: AbortSignal): Promise<string> {
  const lines = createInterface({ input, terminal: false });
  return new Promise<string>((resolve, reject) => {
    lines.once('line', resolve);
    lines.once('close', () => resolve(''));
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  }).finally(() => lines.close());
}
