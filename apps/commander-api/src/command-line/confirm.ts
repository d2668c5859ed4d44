import { createInterface } from 'node:readline';
import { escapeLine } from '@svc/foundation';
import type { CommandContext } from './command-context.js';
import { CommanderError } from '../errors/commander-error.js';
import type { Input } from './terminal.js';

/** A question that must be answered with yes. */
export interface Confirmation {
  /** What will be done, and to what, without a question mark. */
  readonly question: string;
  /** True with `--yes`. */
  readonly given: boolean;
}

/**
 * Asks for confirmation on the terminal, unless `--yes` was given.
 *
 * @throws {CommanderError} if the answer is not yes, or there is no terminal to ask on
 */
export async function confirm(
  { stdin, stderr, signal }: CommandContext,
  { question, given }: Confirmation,
): Promise<void> {
  if (given) return;
  if (!stdin.isTTY) {
    throw new CommanderError('usage', `${question}: stdin is not a terminal; pass --yes to confirm`);
  }
  stderr.write(`${escapeLine(question)}? [y/N] `);
  const answer = await readLine(stdin, signal);
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommanderError('failed', 'nothing was changed');
}

/** Reads a line in cooked mode, so that Ctrl-C arrives as a signal; empty at the end of input. */
function readLine(input: Input, signal: AbortSignal): Promise<string> {
  const lines = createInterface({ input, terminal: false });
  return new Promise<string>((resolve, reject) => {
    lines.once('line', resolve);
    lines.once('close', () => resolve(''));
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  }).finally(() => lines.close());
}
