/** How to reach the registry. */
export interface RegistryOptions {
  /** Its address, such as `https://registry.example.com`; a path in front of the registry's own is kept. */
  readonly url: string;
  /**
   * An API token with the scopes `clients:read` and `clients:check`. A function is asked for each request, so that a
   * token can be exchanged while the server runs.
   */
  readonly token: string | (() => string);
  /** PEM with authorities to trust besides the usual ones. */
  readonly ca?: string | undefined;
  /** How long a request to the registry may take, waiting for its turn included, in milliseconds. Default 3000. */
  readonly timeoutMs?: number | undefined;
  /** How much memory the Clients at hand may take, in bytes. Default 32 MiB. */
  readonly maxCacheBytes?: number | undefined;
  /**
   * Told each time that the change feed begins, and that it ends or cannot be opened; for logs. Without it changes take
   * effect within a second instead of some milliseconds.
   */
  readonly onFeed?: ((state: FeedState) => void) | undefined;
}

/** Whether changes are heard of at once. */
export type FeedState =
  | { readonly following: true }
  /** `reason` is one line and holds no token. */
  | { readonly following: false; readonly reason: string };

/** What is left when defaults are filled in and the address is understood. */
export interface ReadOptions {
  readonly url: URL;
  readonly token: () => string;
  readonly ca: string | undefined;
  readonly timeoutMs: number;
  readonly maxCacheBytes: number;
  readonly onFeed: (state: FeedState) => void;
}

/** Whoever waits longer than half a minute has long gone. */
const TIMEOUT_MS = { least: 1, usual: 3_000, most: 30_000 };

const MEBIBYTE = 1024 * 1024;

/** One Client, with all that it can hold, fits in any case. */
const CACHE_BYTES = { least: MEBIBYTE, usual: 32 * MEBIBYTE, most: 1024 * MEBIBYTE };

/** @throws {RangeError} that names the option and what it must be; never a token */
export function readOptions(options: RegistryOptions): ReadOptions {
  const { token } = options;
  return {
    url: readUrl(options.url),
    token: typeof token === 'function' ? token : () => token,
    ca: options.ca,
    timeoutMs: within('timeoutMs', options.timeoutMs, TIMEOUT_MS),
    maxCacheBytes: within('maxCacheBytes', options.maxCacheBytes, CACHE_BYTES),
    onFeed: options.onFeed ?? (() => undefined),
  };
}

/** The message shows nothing of the address: credentials are written there by mistake. */
function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new RangeError('url must be an http or https address, such as https://registry.example.com');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new RangeError('url must have no user, password, query or fragment');
  }
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

function within(
  name: string,
  value: number | undefined,
  { least, usual, most }: Readonly<Record<'least' | 'usual' | 'most', number>>,
): number {
  const number = value ?? usual;
  if (!Number.isInteger(number) || number < least || number > most) {
    throw new RangeError(`${name} must be a whole number from ${least} to ${most}`);
  }
  return number;
}
