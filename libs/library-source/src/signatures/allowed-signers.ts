import { wildcardExpression } from '@svc/foundation';
import { readSshKey } from './ssh-key.js';

/** A key that may sign, and for what. */
export interface AllowedSigner {
  /** From 1. */
  readonly line: number;
  /** Names of the signer, as written. */
  readonly principals: string;
  /** In SSH's encoding. */
  readonly keyBlob: Buffer;
  /** Patterns of what it may sign; absent for everything. */
  readonly namespaces?: string | undefined;
  /** Inclusive, in seconds since 1970. */
  readonly validAfter?: number | undefined;
  /** Inclusive, in seconds since 1970. */
  readonly validBefore?: number | undefined;
}

/** A word, which may contain quoted parts. */
const WORD = /^(?:"[^"]*"|[^\s"])+/;
const KEY = /^((?:sk-)?(?:ssh|ecdsa)-[\w.@-]+)\s+([A-Za-z0-9+/]+={0,2})(?:\s|$)/;
const OPTION = /^([a-z-]+)(?:="([^"]*)")?(?:,|$)/i;

/**
 * @param text in the format ALLOWED SIGNERS of ssh-keygen(1)
 * @throws {RangeError} naming the line, if anything in it is not understood, or no key is listed
 */
export function parseAllowedSigners(text: string): AllowedSigner[] {
  const signers = text.split(/\r?\n/).flatMap((line, index) => {
    const entry = line.trim();
    if (entry === '' || entry.startsWith('#')) return [];
    try {
      return [{ line: index + 1, ...parseEntry(entry) }];
    } catch (error) {
      throw new RangeError(`line ${index + 1}: ${(error as Error).message}`, { cause: error });
    }
  });
  if (signers.length === 0) throw new RangeError('it lists no keys');
  return signers;
}

function parseEntry(entry: string): Omit<AllowedSigner, 'line'> {
  const word = WORD.exec(entry)?.[0] ?? '';
  const principals = word.replaceAll('"', '');
  if (!principals.split(',').some((one) => one !== '' && !one.startsWith('!')))
    throw new RangeError('it must start with the names of the signer');
  const rest = entry.slice(word.length).trimStart();
  const options = KEY.test(rest) ? '' : (WORD.exec(rest)?.[0] ?? '');
  const [, type, base64 = ''] = KEY.exec(rest.slice(options.length).trimStart()) ?? [];
  if (type === undefined)
    throw new RangeError('it must be names, options if any, the type of a key and the key in base64');
  const keyBlob = Buffer.from(base64, 'base64');
  const key = readKey(keyBlob);
  if (key.type !== type) throw new RangeError(`the key is not of the type ${type}`);
  return { principals, keyBlob, ...parseOptions(options) };
}

function readKey(blob: Buffer): { readonly type: string } {
  try {
    return readSshKey(blob);
  } catch (error) {
    throw new RangeError(`the key cannot be used: ${(error as Error).message}`, { cause: error });
  }
}

function parseOptions(text: string): Pick<AllowedSigner, 'namespaces' | 'validAfter' | 'validBefore'> {
  const found = new Map<string, string>();
  for (let rest = text; rest !== '';) {
    const [whole, name = '', value] = OPTION.exec(rest) ?? [];
    if (whole === undefined) throw new RangeError('its options cannot be read');
    const option = name.toLowerCase();
    if (option === 'cert-authority')
      throw new RangeError('cert-authority is not supported; list the keys of the signers themselves');
    if (!OPTIONS.includes(option)) throw new RangeError(`unknown option ${JSON.stringify(name)}`);
    if (value === undefined || value === '') throw new RangeError(`${option} has no value in quotes`);
    if (found.has(option)) throw new RangeError(`${option} is given twice`);
    found.set(option, value);
    rest = rest.slice(whole.length);
  }
  const [validAfter, validBefore] = (['valid-after', 'valid-before'] as const).map((name) => {
    const value = found.get(name);
    return value === undefined ? undefined : parseTime(name, value);
  });
  return { namespaces: found.get('namespaces'), validAfter, validBefore };
}

const OPTIONS: readonly string[] = ['namespaces', 'valid-after', 'valid-before'];

const TIME = /^(\d{4})(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2})?)?(Z|UTC)?$/i;

/** In the local time zone unless Z or UTC follows. @returns seconds since 1970 */
function parseTime(name: string, text: string): number {
  const [, year, month, day, hour = '00', minute = '00', second = '00', zone] = TIME.exec(text) ?? [];
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone ? 'Z' : ''}`);
  // The 30th of February would be a day in March.
  if ((zone ? time.getUTCDate() : time.getDate()) === Number(day)) return time.getTime() / 1000;
  throw new RangeError(`${name} must be YYYYMMDD, YYYYMMDDHHMM or YYYYMMDDHHMMSS, with a Z for UTC`);
}

/**
 * OpenSSH's pattern list: `*` and `?`, separated by commas; a match of a pattern after `!` excludes.
 *
 * @see ssh_config(5) PATTERNS
 */
export function matchesPatterns(text: string, patterns: string): boolean {
  let matches = false;
  for (const pattern of patterns.split(',')) {
    const isNegated = pattern.startsWith('!');
    const expression = wildcardExpression(isNegated ? pattern.slice(1) : pattern, ['*', '?']);
    if (!expression.test(text)) continue;
    if (isNegated) return false;
    matches = true;
  }
  return matches;
}
