import { isJsonObject } from '@svc/foundation';
import { ENCRYPTIONS } from './key-form.js';
import { DecryptionError } from './password-errors.js';
import { type Curve, CURVES, SEALING } from './sealing-keys.js';

/** How one key decrypts a password, by the headers for it. */
export type KeyHeader =
  | { readonly alg: 'dir'; readonly kid: string | undefined; readonly enc: string }
  | { readonly alg: typeof SEALING; readonly kid: string | undefined; readonly crv: Curve };

export type Header = Readonly<Record<string, unknown>>;

/** Limit of a place, in bytes of UTF-8. */
export const MAX_PLACE_BYTES = 512;

/** True for text that a password may be bound to. */
export function isPlace(place: unknown): place is string {
  const text = typeof place === 'string' ? place : '';
  return text !== '' && Buffer.byteLength(text) <= MAX_PLACE_BYTES && !/[\u0000-\u001f\u007f]/.test(text);
}

/**
 * Checks the protected header, and takes the place that the password is bound to from it.
 *
 * @throws {DecryptionError} `unsupported`
 */
export function placeIn(header: Header): string | undefined {
  const { for: place } = header;
  if (place === undefined || isPlace(place)) return place;
  throw unsupported('its "for" is not a place');
}

/**
 * Checks all headers that apply to one key, joined.
 *
 * @throws {DecryptionError} `unsupported`
 */
export function checkKeyHeader(header: Header): KeyHeader {
  const { alg, enc, kid, epk } = header;
  if (alg !== 'dir' && alg !== SEALING) throw unsupported(`its "alg" is neither dir nor ${SEALING}`);
  if ('zip' in header) throw unsupported('it is compressed ("zip")');
  if ('crit' in header) throw unsupported('it has critical extensions ("crit")');
  if (!Object.values<unknown>(ENCRYPTIONS).includes(enc)) {
    throw unsupported('its "enc" is not one of A128GCM, A192GCM, A256GCM');
  }
  if (kid !== undefined && typeof kid !== 'string') throw unsupported('its "kid" is not a string');
  if (alg === 'dir') return { alg, kid, enc: String(enc) };
  if (enc !== ENCRYPTIONS[32]) throw unsupported(`its "enc" is not ${ENCRYPTIONS[32]}`);
  return { alg, kid, crv: curveOf(epk) };
}

function curveOf(epk: unknown): Curve {
  const { crv } = (typeof epk === 'object' && epk !== null ? epk : {}) as Header;
  const known = CURVES.find((curve) => curve === crv);
  if (!known) throw unsupported(`its "epk" is not a key of the curve ${CURVES.join(' or ')}`);
  return known;
}

/** The JSON object in base64url; undefined if it is anything else. */
export function parseHeader(segment: string): Header | undefined {
  return asObject(() => JSON.parse(Buffer.from(segment, 'base64url').toString('utf8')));
}

/** What the function returns if it is an object. The parser's message would quote its input, which may hold anything. */
export function asObject(parse: () => unknown): Header | undefined {
  try {
    const value = parse();
    return isJsonObject(value) ? (value as Header) : undefined;
  } catch {
    return undefined;
  }
}

export function malformed(message: string): DecryptionError {
  return new DecryptionError('malformed', message);
}

export function unsupported(reason: string): DecryptionError {
  return new DecryptionError('unsupported', `the encrypted password is rejected: ${reason}`);
}
