import { rotatePasswords, type PasswordKeys } from '@svc/password-format';
import { CommanderError } from '../errors/commander-error.js';
import { type FileInput, readFileAtMost, describeReadError } from '../files/read-at-most.js';
import { replaceFiles } from '../files/replace-files.js';

/** One file after the rotation. */
export interface RotatedFile {
  readonly file: string;
  readonly passwords: number;
}

/** Maximum size of a file of declarations, in bytes. */
const MAX_FILE_BYTES = 16 * 1_048_576;

/**
 * Re-encrypts every `!encpwd` of YAML files in place with the first key. All files are read, all passwords decrypted and all
 * new files written before the first file is replaced, so that an error changes nothing.
 *
 * @throws {CommanderError} with a line for each file that cannot be read or replaced, and each value that cannot be decrypted
 */
export async function rotateFiles(
  files: readonly string[],
  keys: PasswordKeys,
  input: FileInput,
): Promise<RotatedFile[]> {
  const errors: string[] = [];
  const rotations = [];
  for (const file of new Set(files)) {
    const text = await readYaml(file, input, errors);
    if (text === undefined) continue;
    const rotation = await rotatePasswords(text, keys);
    errors.push(...rotation.errors.map(({ line, message }) => `${file}:${line}: ${message}`));
    rotations.push({ file, ...rotation });
  }
  if (errors.length > 0) throw new CommanderError('failed', [...errors, 'no file was changed'].join('\n'));
  const changed = rotations.filter(({ rotated }) => rotated > 0);
  await replaceFiles(
    changed.map(({ file, text }) => ({ path: file, content: text })),
    input.signal,
  );
  return rotations.map(({ file, rotated }) => ({ file, passwords: rotated }));
}

/** @returns undefined if it cannot be read: the reason is added to `errors` */
async function readYaml(file: string, input: FileInput, errors: string[]): Promise<string | undefined> {
  try {
    const bytes = await readFileAtMost(file, MAX_FILE_BYTES, input);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    input.signal.throwIfAborted();
    errors.push(`${file}: the file cannot be read: ${describeReadError(error)}`);
    return undefined;
  }
}
