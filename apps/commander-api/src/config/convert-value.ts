import { resolve } from 'node:path';
import { MAX_TIMER_MS } from '@svc/foundation';
import { isFolderPath } from '@svc/library-source/address';
import { isNetwork } from '@svc/service-kit/networks';
import type { ConfigType, NumberRange } from './config-key.js';
import { splitCommand } from './split-command.js';
import { credentialName } from './systemd-credentials.js';
import { isKeyText, type KeyForm } from '@svc/password-format/key-form';

/** A value after conversion. */
export type ConfigValue = string | number | boolean | readonly string[];

/** Says what a value must be, without repeating the value. */
export class UnfitValueError extends Error {
  override readonly name = 'UnfitValueError';
}

const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * @param folder absolute base of relative paths
 * @throws {UnfitValueError} with a message that completes "must be …"
 */
export function convertValue(
  type: ConfigType,
  value: string | readonly string[],
  folder: string,
): ConfigValue {
  if (type === 'list') return toList(value);
  if (type === 'paths') return toList(value).map((path) => resolve(folder, path));
  if (type === 'networks') return toNetworks(toList(value));
  if (type === 'schemas') return toSchemas(toList(value), folder);
  if (typeof value !== 'string') throw new UnfitValueError('one value, not a list');
  if (typeof type === 'object') return 'oneOf' in type ? toChoice(value, type.oneOf) : toNumber(value, type);
  switch (type) {
    case 'text':
      return value;
    case 'path':
      return resolve(folder, value);
    case 'location':
      return isFolderPath(value) ? resolve(folder, value) : value;
    case 'key':
      return toKeySetting(value, folder);
    case 'command':
      return toCommand(value);
    case 'port':
      return toPort(value);
    case 'duration':
      return toMilliseconds(value);
    case 'bytes':
      return toBytes(value);
    case 'switch':
      return ['yes', 'true', 'on', '1'].includes(
        toChoice(value, ['yes', 'no', 'true', 'false', 'on', 'off', '1', '0']),
      );
  }
}

function toKeySetting(value: string, folder: string): string {
  if (isInlineKey(value) || credentialName(value) !== undefined) return value;
  const { form, rest } = splitKeySetting(value);
  return `${form === undefined ? '' : `${form}:`}${resolve(folder, rest)}`;
}

function toCommand(value: string): string {
  if (splitCommand(value)) return value;
  throw new UnfitValueError('a program and its arguments; put one that has spaces in quotes');
}

function toList(value: string | readonly string[]): readonly string[] {
  const items = typeof value === 'string' ? value.split(',') : value;
  return items.map((item) => item.trim()).filter((item) => item !== '');
}

function toNetworks(items: readonly string[]): readonly string[] {
  if (!items.every(isNetwork)) throw new UnfitValueError('IP addresses or CIDR blocks, separated by commas');
  return items;
}

function toSchemas(items: readonly string[], folder: string): readonly string[] {
  return items.map((item) => {
    const [, pattern, file] = /^(.*\S)\s*:\s*([^:]+)$/.exec(item) ?? [];
    if (pattern === undefined || file === undefined)
      throw new UnfitValueError('patterns, each followed by a colon and a schema file, separated by commas');
    return `${pattern}: ${resolve(folder, file)}`;
  });
}

function toChoice(value: string, allowed: readonly string[]): string {
  const chosen = value.toLowerCase();
  if (!allowed.includes(chosen)) throw new UnfitValueError(`one of ${allowed.join(', ')}`);
  return chosen;
}

function toPort(value: string): number {
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535) throw new UnfitValueError('a port from 0 to 65535');
  return Number(value);
}

function toMilliseconds(value: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)?$/.exec(value);
  const milliseconds = match ? Math.round(Number(match[1]) * UNITS_MS[match[2] ?? 's']!) : 0;
  if (milliseconds < 1 || milliseconds > MAX_TIMER_MS) {
    throw new UnfitValueError('a number of seconds or a number with ms, s, m, h or d, at most 24 d');
  }
  return milliseconds;
}

function toBytes(value: string): number {
  if (!/^[1-9]\d{0,14}$/.test(value)) throw new UnfitValueError('a whole number of bytes, at least 1');
  return Number(value);
}

function toNumber(value: string, { from, to }: NumberRange): number {
  const number = /^\d{1,4}$/.test(value) ? Number(value) : NaN;
  if (number >= from && number <= to) return number;
  throw new UnfitValueError(`a number from ${from} to ${to}`);
}

/** Splits `hex:...`, `base64:...` and `raw:...`; a setting without such a prefix is a path, whose form is detected. */
export function splitKeySetting(setting: string): { form?: KeyForm; rest: string } {
  const match = /^(hex|base64|raw):(.*)$/s.exec(setting);
  return match ? { form: match[1] as KeyForm, rest: match[2]! } : { rest: setting };
}

/**
 * True if a setting with a prefix contains the key itself: digits or text of exactly an AES key's size. Anything else after
 * the prefix is a path. Raw text with a dot or slash counts as a path, so that the name of a missing file never becomes the
 * key.
 */
export function isInlineKey(setting: string): boolean {
  const { form, rest } = splitKeySetting(setting);
  if (form === undefined || (form === 'raw' && /[./]/.test(rest))) return false;
  return isKeyText(rest, form);
}
