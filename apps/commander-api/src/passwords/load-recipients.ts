import { InvalidKeyError, MAX_RECIPIENTS, parseRecipients, type Recipient } from '@svc/password-format';
import { configurationError, readKeyFile } from './read-key-file.js';

/** Public keys, of which there is at least one. */
export type Recipients = readonly [Recipient, ...Recipient[]];

/**
 * Loads files of public keys; a key that occurs twice counts once.
 *
 * @param place where the files were named
 * @throws {CommanderError} `configuration`
 */
export async function loadRecipients(files: readonly string[], place: string): Promise<Recipients> {
  const found = new Map<string, Recipient>();
  for (const file of files) {
    const { content } = await readKeyFile(file, undefined, place);
    for (const recipient of parse(content, file)) found.set(recipient.kid, recipient);
  }
  const [first, ...others] = found.values();
  if (!first) throw configurationError(`${place} names no file`);
  if (found.size > MAX_RECIPIENTS)
    throw configurationError(
      `${place}: ${found.size} public keys; a password has at most ${MAX_RECIPIENTS} recipients`,
    );
  return [first, ...others];
}

function parse(content: Uint8Array, file: string): Recipients {
  try {
    return parseRecipients(content);
  } catch (error) {
    if (error instanceof InvalidKeyError) throw configurationError(`${file}: ${error.message}`, error);
    throw error;
  }
}
