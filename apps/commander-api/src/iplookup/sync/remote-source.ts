import { createHash } from 'node:crypto';
import { belongsAt, boundPlace, DecryptionError, EncryptedPassword } from '@svc/password-format';

/** A source that is fetched. */
export interface RemoteSource {
  readonly url: string;
  /** True to compare it with the SHA-256 at the URL with `.sha256` appended. */
  readonly checksum: boolean;
  readonly credentials?: { readonly user: string; readonly password: string | EncryptedPassword };
}

/** The keys of a layer that are about its source. */
interface SourceKeys {
  readonly source: unknown;
  readonly checksum?: boolean | undefined;
  readonly user?: string | undefined;
  /** As declared: text, an `EncryptedPassword` or anything else. */
  readonly password: unknown;
}

/** Where a layer is declared. */
interface LayerPlace {
  readonly file: string;
  readonly path: readonly string[];
}

/**
 * Reads the declared source of a layer.
 *
 * @param refuse is called for each problem, with the key; '' for the layer
 * @param at the layer's place, for passwords that are bound to one: the file, and keys in it
 * @returns undefined for a file, or if the URL is refused
 */
export function parseRemoteSource(
  { source, checksum, user, password }: SourceKeys,
  refuse: (key: string, message: string) => void,
  at: LayerPlace,
): RemoteSource | undefined {
  if (typeof source !== 'string' || !/^https?:/i.test(source)) {
    for (const [key, value] of Object.entries({ checksum, user, password }))
      if (value !== undefined) refuse(key, `'${key}' requires an https source`);
    return undefined;
  }
  const hasPassword = typeof password === 'string' || password instanceof EncryptedPassword;
  if ((user === undefined) !== (password === undefined) || (password !== undefined && !hasPassword))
    refuse('', 'must have both a user and a password, as text or !encpwd "...", or neither');
  if (password instanceof EncryptedPassword && isMisplaced(password, at))
    refuse('password', 'is bound to another place; encrypt the password for this one');
  if (!isPlainUrl(source)) {
    refuse('source', 'must be an https URL without credentials; use the user and password keys');
    return undefined;
  }
  return {
    url: source,
    checksum: checksum ?? false,
    ...(user !== undefined && hasPassword && { credentials: { user, password } }),
  };
}

/** An unreadable password is reported when it is decrypted. */
function isMisplaced({ text }: EncryptedPassword, { file, path }: LayerPlace): boolean {
  try {
    const place = boundPlace(text);
    return place !== undefined && !belongsAt(place, file, [...path, 'password']);
  } catch (error) {
    if (error instanceof DecryptionError) return false;
    throw error;
  }
}

/** A URL for messages: a digest replaces its query, whose values may be secret, and distinguishes queries. */
export function nameOfRemote({ url }: RemoteSource): string {
  const { origin, pathname, search } = new URL(url);
  const query = search === '' ? '' : `?${createHash('sha256').update(search).digest('hex').slice(0, 8)}`;
  return origin + pathname + query;
}

/** Longer names, extended while the file is written, would exceed the limit of common file systems. */
const MAX_NAME_BYTES = 200;

/**
 * The file name at the end of a URL's path, decoded: a vendor's file name determines its columns, and messages show it.
 *
 * @returns a plain name, which is never hidden; `source` if the path has none
 */
export function fileNameOf(url: string): string {
  const [last = ''] = /[^/]*$/.exec(new URL(url).pathname.replace(/\/+$/, '')) ?? [];
  const plain = decode(last)
    .replace(/[/\\\p{C}]/gu, '_')
    .replace(/^\.+/, '');
  // Cut the start: the ending determines the format.
  let name = plain;
  while (Buffer.byteLength(name) > MAX_NAME_BYTES) name = [...name].slice(1).join('');
  return name === '' ? 'source' : name;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Where the SHA-256 of a file is: beside it, with `.sha256` appended. MaxMind's URLs have no file name; their ending is in
 * the query: `?suffix=zip` and `?suffix=zip.sha256`.
 */
export function checksumAddress(url: URL): URL {
  const address = new URL(url);
  // Parameters as URLSearchParams writes them could differ from those that the server signed.
  const search = url.search.replace(/(?<=[?&])suffix=[^&]+/, '$&.sha256');
  if (/\.[^/]*$/.test(url.pathname) || search === url.search) address.pathname += '.sha256';
  else address.search = search;
  return address;
}

function isPlainUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return protocol === 'https:' && username === '' && password === '' && hash === '';
}
