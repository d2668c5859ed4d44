import { existsSync } from 'node:fs';
import { isFolderPath } from '@svc/library-source/address';
import { isKeyText } from '@svc/password-format/key-form';
import type { ConfigKey } from './config-key.js';
import type { ConfigValue } from './convert-value.js';
import { isInlineKey, splitKeySetting } from './key-setting.js';

const MASK = '********';

/** A value as it may be shown: secrets, keys written into the configuration and credentials in URLs are covered. */
export function maskValue({ secret, type }: ConfigKey, value: ConfigValue): ConfigValue {
  if (secret) return MASK;
  if (typeof value !== 'string') return value;
  return type === 'key' ? maskKey(value) : maskCredentials(value);
}

/**
 * True for the path of a key file that may be shown: of a file that is there, or one whose name is like that of a file. Any
 * other may be the key itself, put where its path belongs: whole, cut, with white space, or as a JWK.
 */
export function isShowableKeyPath(path: string): boolean {
  return hasFileName(path) || existsSync(path);
}

/** A name of a section or key as it may be shown: a line of a file that is no setting may be a key or a token. */
export function maskName(name: string): string {
  const isName = /^[a-z0-9]{1,16}([_.-][a-z0-9]{1,16}){0,3}$/i.test(name) && !looksLikeKey(name);
  return isName ? name : MASK;
}

function maskKey(setting: string): string {
  const { form, rest } = splitKeySetting(setting);
  if (isInlineKey(setting)) return `${form}:${MASK}`;
  if (isShowableKeyPath(rest)) return setting;
  return form === undefined ? MASK : `${form}:${MASK}`;
}

/** An extension at its end, as no encoding of a key has, and nothing on the way there that is a key. */
function hasFileName(path: string): boolean {
  return /^[\w./-]*[\w-]\.[a-z]\w{0,9}$/i.test(path) && !path.split(/[./]/).some(looksLikeKey);
}

function looksLikeKey(text: string): boolean {
  return isKeyText(text, 'hex') || isKeyText(text, 'base64');
}

/**
 * Up to the last @: a token may hold what ends the user part of a URL elsewhere. What may be a mistyped URL has
 * credentials as well.
 */
function maskCredentials(text: string): string {
  return isFolderPath(text) ? text : text.replace(/^([a-z][a-z0-9+.-]*:\/+)?.*@/is, `$1${MASK}@`);
}
