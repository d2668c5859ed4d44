import { neededPart, parseAuthorizationUrl } from '@svc/client-metadata';
import type { CommandContext } from '../command-line/command-context.js';
import { CommanderError } from '../errors/commander-error.js';
import { readAtMost, TooLargeError } from '../files/read-at-most.js';
import { explanationText } from './explanation-text.js';
import { withRegistry } from './open-registry.js';

/** As the registry accepts. */
const MAX_URL_BYTES = 32_768;

/** @param given the URL; `-`: on standard input */
export async function runExplain(context: CommandContext, given: string): Promise<void> {
  const url = given === '-' ? await readUrl(context) : given;
  const read = parseAuthorizationUrl(url);
  if ('code' in read) throw new CommanderError('usage', `the URL ${read.message}`);
  const explanation = await withRegistry(context, async (registry) =>
    registry.explain(read.clientId, neededPart(url)),
  );
  context.answer({ text: explanationText(explanation), value: explanation });
}

async function readUrl({ stdin }: CommandContext): Promise<string> {
  try {
    return (await readAtMost(stdin, MAX_URL_BYTES)).toString();
  } catch (error) {
    if (!(error instanceof TooLargeError)) throw error;
    throw new CommanderError('usage', 'standard input is larger than 32 KiB: give it a single URL', {
      cause: error,
    });
  }
}
