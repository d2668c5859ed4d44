import { basename } from 'node:path';
import type { ConfigKey } from './config-key.js';
import type { ConfigValue } from './convert-value.js';
import { isInlineKey, looksLikeKey, splitKeySetting } from './key-setting.js';

const MASK = '********';

/** A value as it may be shown: secrets, keys written into the configuration and credentials in URLs are covered. */
export function maskValue({ secret, type }: ConfigKey, value: ConfigValue): ConfigValue {
  if (secret) return MASK;
  if (typeof value !== 'string') return value;
  return type === 'key' ? maskKey(value) : maskCredentials(value);
}

function maskKey(setting: string): string {
  const { form, rest } = splitKeySetting(setting);
  if (isInlineKey(setting)) return `${form}:${MASK}`;
  return looksLikeKey(basename(rest)) ? MASK : setting;
}

/** Up to the last @: a token may hold what ends the user part of a URL elsewhere. */
function maskCredentials(text: string): string {
  return text.replace(/^([a-z][a-z0-9+.-]*:\/\/).*@/is, `$1${MASK}@`);
}
