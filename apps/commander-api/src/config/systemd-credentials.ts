import { join } from 'node:path';
import type { ParsedSource } from './config-key.js';

/**
 * The name of a systemd credential (`LoadCredential=` in a unit), of a key setting such as `credential:encpwd.key`; undefined
 * for any other setting.
 */
export function credentialName(setting: string): string | undefined {
  return /^credential:([\w.-]{1,255})$/.exec(setting)?.[1];
}

/**
 * Replaces credentials by their files. Outside of the unit, where there are none, they stay: only commands that need the key
 * fail.
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
