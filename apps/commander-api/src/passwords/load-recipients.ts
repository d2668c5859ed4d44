import { basename } from 'node:path';
import { InvalidKeyError, MAX_RECIPIENTS, parseRecipients, type Recipient } from '@svc/password-format';
import { configurationError } from '../errors/commander-error.js';
import { readKeyFile } from './read-key-file.js';

/** Public keys, of which there is at least one. */
export type Recipients = readonly [Recipient, ...Recipient[]];

/** A public key, and the name of its file without extension, by which callers may choose it. */
export interface NamedRecipient {
  readonly name: string;
  readonly file: string;
  readonly recipient: Recipient;
}

/**
 * Loads files of public keys; a key that occurs twice counts once.
 *
 * @param place where the files were named
 * @throws {CommanderError} `configuration`
 */
export async function loadRecipients(files: readonly string[], place: string): Promise<Recipients> {
  const [first, ...others] = (await loadNamedRecipients(files, place)).map(({ recipient }) => recipient);
  if (!first) throw configurationError(`${place} names no file`);
  return [first, ...others];
}

/** Like {@link loadRecipients}, with names; none if there are no files. */
export async function loadNamedRecipients(
  files: readonly string[],
  place: string,
): Promise<NamedRecipient[]> {
  const found = new Map<string, NamedRecipient>();
  for (const file of files) {
    const { content } = await readKeyFile(file, undefined, place);
    const name = basename(file).replace(/\.\w+$/, '');
    for (const recipient of parse(content, file))
      if (!found.has(recipient.kid)) found.set(recipient.kid, { name, file, recipient });
  }
  if (found.size > MAX_RECIPIENTS)
    throw configurationError(
      `${place}: ${found.size} public keys; a password has at most ${MAX_RECIPIENTS} recipients`,
    );
  return [...found.values()];
}

function parse(content: Uint8Array, file: string): Recipients {
  try {
    return parseRecipients(content);
  } catch (error) {
    if (error instanceof InvalidKeyError) throw configurationError(`${file}: ${error.message}`, error);
    throw error;
  }
}
