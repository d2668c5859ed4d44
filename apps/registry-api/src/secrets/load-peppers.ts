import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { MIN_PEPPER_LENGTH } from './pepper-length.js';
import { readOrMakePrivateFile } from './private-file.js';

/**
 * The peppers of the configuration, or the one of the file `secret-pepper` in the data folder, which is made when it is
 * not there. (In production the configuration has to hold one, since replicas must agree on it.)
 *
 * @throws {RangeError} that names the file when what it holds is too short
 */
export async function loadPeppers(config: {
  readonly SECRET_PEPPER?: readonly string[] | undefined;
  readonly DATA_DIR: string;
}): Promise<readonly [string, ...string[]]> {
  const [first, ...former] = config.SECRET_PEPPER ?? [];
  if (first !== undefined) return [first, ...former];
  const made = () => `${randomBytes(32).toString('base64url')}\n`;
  const file = join(config.DATA_DIR, 'secret-pepper');
  const pepper = (await readOrMakePrivateFile(file, made)).trim();
  if (pepper.length >= MIN_PEPPER_LENGTH) return [pepper];
  throw new RangeError(
    `${file} must hold at least ${MIN_PEPPER_LENGTH} characters; restore it from its backup, or remove it to have another ` +
      'made, after which every Client needs a new secret',
  );
}
