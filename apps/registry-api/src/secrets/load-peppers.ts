import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Config } from '../config.js';
import { readOrMakePrivateFile } from './private-file.js';

/**
 * The peppers of the configuration, or the one of the file `secret-pepper` in the data folder, which is made when it is
 * not there. (In production the configuration has to hold one, since replicas must agree on it.)
 */
export async function loadPeppers(
  config: Pick<Config, 'SECRET_PEPPER' | 'DATA_DIR'>,
): Promise<readonly [string, ...string[]]> {
  const [first, ...former] = config.SECRET_PEPPER ?? [];
  if (first !== undefined) return [first, ...former];
  const made = () => `${randomBytes(32).toString('base64url')}\n`;
  return [(await readOrMakePrivateFile(join(config.DATA_DIR, 'secret-pepper'), made)).trim()];
}
