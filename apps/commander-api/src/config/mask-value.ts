import { existsSync } from 'node:fs';
import { isFolderPath } from '@svc/library-source/address';
import { isKeyText } from '@svc/password-format/key-form';
import type { ConfigKey } from './config-key.js';
import { type ConfigValue, isInlineKey, splitKeySetting } from './convert-value.js';
import { isNamedSection, nameOfSection } from './named-sections.js';
import { credentialName } from './systemd-credentials.js';

const MASK = '********';

/** Masks secrets, inline keys and credentials in URLs. */
export function maskValue({ secret, type }: ConfigKey, value: ConfigValue): ConfigValue {
  if (secret) return MASK;
  if (typeof value !== 'string') return value;
  return type === 'key' ? maskKey(value) : maskCredentials(value);
}

/**
 * True if the path of a key file is safe to show: the file exists, or the path looks like a file name. Anything else may be
 * the key itself, pasted instead of its path: whole, truncated, with white space, or as a JWK.
 */
export function isShowableKeyPath(path: string): boolean {
  return hasFileName(path) || existsSync(path);
}

/** Masks a section or key name unless it is safe to show: a malformed line may be a key or a token. */
export function maskName(name: string): string {
  const rest = isNamedSection(name) ? nameOfSection(name) : name;
  if (rest !== name && !looksLikeKey(rest)) return name;
  const isName = /^[a-z0-9]{1,16}([_.-][a-z0-9]{1,16}){0,3}$/i.test(name) && !looksLikeKey(name);
  return isName ? name : MASK;
}

function maskKey(setting: string): string {
  const credential = credentialName(setting);
  if (credential !== undefined) return looksLikeKey(credential) ? MASK : setting;
  const { form, rest } = splitKeySetting(setting);
  if (isInlineKey(setting)) return `${form}:${MASK}`;
  if (isShowableKeyPath(rest)) return setting;
  return form === undefined ? MASK : `${form}:${MASK}`;
}

/** Ends in an extension, which no encoding of a key does, and contains nothing that looks like a key. */
function hasFileName(path: string): boolean {
  return /^[\w./-]*[\w-]\.[a-z]\w{0,9}$/i.test(path) && !path.split(/[./]/).some(looksLikeKey);
}

function looksLikeKey(text: string): boolean {
  return isKeyText(text, 'hex') || isKeyText(text, 'base64');
}

/**
 * Masks everything up to the last @, since a token may contain characters that end the user part of a URL. Mistyped URLs
 * may have credentials, too.
 */
function maskCredentials(text: string): string {
  return isFolderPath(text) ? text : text.replace(/^([a-z][a-z0-9+.-]*:\/+)?.*@/is, `$1${MASK}@`);
}
