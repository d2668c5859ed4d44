import { rotatePasswords, type PasswordKeys } from '@svc/password-format';
import { CommanderError } from '../errors/commander-error.js';
import { type FileInput, readFileAtMost, readFault } from '../files/read-at-most.js';
import { replaceFiles } from '../files/replace-files.js';

/** One file after the rotation. */
export interface RotatedFile {
  readonly file: string;
  readonly passwords: number;
}

/** Whatever is larger is no file of declarations, in bytes. */
const MAX_FILE_BYTES = 16 * 1_048_576;

/**
 * Encrypts every `!encpwd` of YAML files anew under the first key, in place. All files are read, all passwords decrypted
 * and all new files written beside the old ones before the first is replaced, so that what can go wrong changes nothing.
 *
 * @throws {CommanderError} with a line for each file that cannot be read or replaced, and each value that cannot be decrypted
 */
export async function rotateFiles(
  files: readonly string[],
  keys: PasswordKeys,
  input: FileInput,
): Promise<RotatedFile[]> {
  const faults: string[] = [];
  const rotations = [];
  for (const file of new Set(files)) {
    const text = await readYaml(file, input, faults);
    if (text === undefined) continue;
    const rotation = await rotatePasswords(text, keys);
    faults.push(...rotation.faults.map(({ line, message }) => `${file}:${line}: ${message}`));
    rotations.push({ file, ...rotation });
  }
  if (faults.length > 0) throw new CommanderError('failed', [...faults, 'no file was changed'].join('\n'));
  const changed = rotations.filter(({ rotated }) => rotated > 0);
  await replaceFiles(
    changed.map(({ file, text }) => ({ path: file, content: text })),
    input.signal,
  );
  return rotations.map(({ file, rotated }) => ({ file, passwords: rotated }));
}

/** @returns undefined when it cannot be read: `faults` has the reason then */
async function readYaml(file: string, input: FileInput, faults: string[]): Promise<string | undefined> {
  try {
    const bytes = await readFileAtMost(file, MAX_FILE_BYTES, input);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    input.signal.throwIfAborted();
    faults.push(`${file}: the file cannot be read: ${readFault(error)}`);
    return undefined;
  }
}
