/** How to reach the registry. */
export interface RegistryOptions {
  /** The registry's URL, such as `https://registry.example.com`; a path prefix is kept. */
  readonly url: string;
  /**
   * An API token with the scopes `clients:follow` and `clients:check`. A function is called for each request, so the
   * token can be replaced while the server runs.
   */
  readonly token: string | (() => string);
  /** PEM certificates of CAs to trust in addition to Node's defaults. */
  readonly ca?: string | undefined;
  /** Timeout of a request to the registry, including time spent queued, in milliseconds. Default 3000. */
  readonly timeoutMs?: number | undefined;
  /** Memory for cached Clients, in bytes. Default 32 MiB. */
  readonly maxCacheBytes?: number | undefined;
  /** Whether to report how Clients are used. Default true. */
  readonly reportUsage?: boolean | undefined;
  /**
   * Called when the change feed connects, ends or fails to open; for logging. While it is down, changes take effect
   * within a second instead of a few milliseconds.
   */
  readonly onFeed?: ((state: FeedState) => void) | undefined;
}

/** Whether the change feed is connected. */
export type FeedState =
  | { readonly following: true }
  /** `reason` is one line and holds no token. */
  | { readonly following: false; readonly reason: string };

/** Validated options with defaults applied. */
export interface ValidatedOptions {
  readonly url: URL;
  readonly token: () => string;
  readonly ca: string | undefined;
  readonly timeoutMs: number;
  readonly maxCacheBytes: number;
  readonly reportUsage: boolean;
  readonly onFeed: (state: FeedState) => void;
}

/** Users have given up after half a minute. */
const TIMEOUT_MS = { least: 1, usual: 3_000, most: 30_000 };

const MEBIBYTE = 1024 * 1024;

/** Even the smallest cache holds a Client of maximum size. */
const CACHE_BYTES = { least: MEBIBYTE, usual: 32 * MEBIBYTE, most: 1024 * MEBIBYTE };

/** @throws {RangeError} naming the option and what it must be; never contains the token */
export function readOptions(options: RegistryOptions): ValidatedOptions {
  const { token } = options;
  return {
    url: readUrl(options.url),
    token: typeof token === 'function' ? token : () => token,
    ca: options.ca,
    timeoutMs: within('timeoutMs', options.timeoutMs, TIMEOUT_MS),
    maxCacheBytes: within('maxCacheBytes', options.maxCacheBytes, CACHE_BYTES),
    reportUsage: options.reportUsage ?? true,
    onFeed: options.onFeed ?? (() => undefined),
  };
}

/** Messages never repeat the URL: it may contain credentials by mistake. */
function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new RangeError('url must be an http or https address, such as https://registry.example.com');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new RangeError('url must not contain a user, password, query or fragment');
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
    throw new RangeError(`${name} must be an integer from ${least} to ${most}`);
  }
  return number;
}
