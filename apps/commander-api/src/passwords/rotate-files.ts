import { readFile } from 'node:fs/promises';
import { rotatePasswords, type PasswordKeys } from '@svc/password-format';
import { CommandError } from '../cli/exit-code.js';
import { replaceFile } from '../files/write-files.js';

/** One file after the rotation. */
export interface RotatedFile {
  readonly file: string;
  readonly passwords: number;
}

/**
 * Encrypts every `!encpwd` of YAML files anew under the first key, in place. All files are read and all passwords decrypted
 * before the first file is written, so that one bad value changes nothing.
 *
 * @throws {CommandError} with a line for each value that cannot be decrypted
 */
export async function rotateFiles(
  files: readonly string[],
  keys: PasswordKeys,
  signal: AbortSignal,
): Promise<RotatedFile[]> {
  const faults: string[] = [];
  const rotations = [];
  for (const file of new Set(files)) {
    signal.throwIfAborted();
    const rotation = await rotatePasswords(await readYaml(file), keys);
    faults.push(...rotation.faults.map(({ line, message }) => `${file}:${line}: ${message}`));
    rotations.push({ file, ...rotation });
  }
  if (faults.length > 0) throw new CommandError([...faults, 'no file was changed'].join('\n'));
  for (const { file, text, rotated } of rotations) {
    signal.throwIfAborted();
    if (rotated > 0) await replaceFile(file, text);
  }
  return rotations.map(({ file, rotated }) => ({ file, passwords: rotated }));
}

async function readYaml(file: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not UTF-8' : code;
    throw new CommandError(`${file}: the file cannot be read (${reason})`, undefined, { cause: error });
  }
}
