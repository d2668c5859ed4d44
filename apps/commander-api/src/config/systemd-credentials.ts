import { join } from 'node:path';
import type { ParsedSource } from './config-key.js';

/**
 * The systemd credential (`LoadCredential=` in a unit) that a key setting such as `credential:encpwd.key` names; undefined for
 * any other setting.
 */
export function credentialName(setting: string): string | undefined {
  return /^credential:([\w.-]{1,255})$/.exec(setting)?.[1];
}

/**
 * Replaces credentials with their files. Outside the unit, where there are none, they are kept, so that only commands that
 * need the key fail.
 *
 * @param folder `$CREDENTIALS_DIRECTORY`
 */
export function resolveCredentials(source: ParsedSource, folder: string | undefined): ParsedSource {
  if (!folder) return source;
  const settings = source.settings.map((setting) => {
    const { section, key, value } = setting;
    const name = section === 'pwdencryptor' && key === 'key' ? credentialName(String(value)) : undefined;
    return name === undefined ? setting : { ...setting, value: join(folder, name) };
  });
  return { ...source, settings };
}
