import { createHash, type Hash } from 'node:crypto';
import { readFile, utimes } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import https, { type RequestOptions } from 'node:https';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { makeFolders } from '@svc/foundation/files';
import { OutputFileError, removeStale, writeFileAtomically } from '@svc/iplookup-core';
import { chooseProxy, openTunnel, ProxyAddressError } from '@svc/library-source/proxy';
import { type DestinationPolicy, guardedLookup } from '@svc/service-kit/destinations';
import { CommanderError } from '../../errors/commander-error.js';
import { checksumAddress } from './remote-source.js';
import { type FileStamp, isSameStamp, stampOf } from './source-identity.js';

/** What may be fetched, and how much. */
export interface DownloadRules {
  /** Names of the hosts that may be asked, in lower case. */
  readonly hosts: readonly string[];
  readonly policy: DestinationPolicy;
  /** PEM certificates of CAs to trust in addition to the system's. */
  readonly ca: readonly string[] | undefined;
  /** For all of a download, in milliseconds. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** A file to fetch. */
export interface Download {
  readonly url: URL;
  /** Sent to the URL's own host only. */
  readonly credentials?: { readonly user: string; readonly password: string } | undefined;
  /** True to verify the content with the SHA-256 at the URL with `.sha256` appended to its path or `suffix`. */
  readonly checksum: boolean;
}

/** The validators that a server sent with a file (RFC 9110 section 8.8), and whether its SHA-256 was verified. */
interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
  readonly isVerified?: boolean;
  /** The stamp of the file, which another run may have replaced. */
  readonly stamp?: FileStamp;
}

const MAX_REDIRECTS = 5;
const MAX_CHECKSUM_BYTES = 64 * 1024;
const IDLE_MS = 30_000;

/**
 * Fetches a file unless it is unchanged since the last fetch. The former file stays until the new one is complete and its
 * checksum verified.
 *
 * @param folder of this file alone
 * @param name of the file
 * @throws {CommanderError} whose message omits the query of the URL, which may contain a key
 */
export async function download(
  { url, credentials, checksum }: Download,
  folder: string,
  name: string,
  rules: DownloadRules,
  signal: AbortSignal,
): Promise<'fetched' | 'unchanged'> {
  // Its use below keeps it alive: AbortSignal.any does not, so it could be garbage-collected early (nodejs/node#57736).
  const deadline = AbortSignal.timeout(rules.timeoutMs);
  const limited = AbortSignal.any([signal, deadline]);
  const request = new Fetch(credentials && { ...credentials, origin: url.origin }, rules, limited);
  try {
    return await new FileDownload(folder, name, request).run(url, checksum);
  } catch (error) {
    signal.throwIfAborted();
    const reason = deadline.aborted ? `it took longer than ${rules.timeoutMs / 1000} s` : reasonOf(error);
    throw new CommanderError('unusable_input', `${withoutQuery(url)} cannot be fetched: ${reason}`, {
      cause: error,
    });
  }
}

/** Without the query, the fragment and credentials. */
export function withoutQuery({ origin, pathname }: URL): string {
  return origin + pathname;
}

class FileDownload {
  private readonly file: string;
  private readonly note: string;

  constructor(
    private readonly folder: string,
    name: string,
    private readonly request: Fetch,
  ) {
    this.file = join(folder, name);
    this.note = join(folder, '.validators.json');
  }

  async run(url: URL, checksum: boolean): Promise<'fetched' | 'unchanged'> {
    await makeFolders(this.folder, 0o700).catch((error: unknown) => {
      throw OutputFileError.from(this.folder, error);
    });
    // If the source has not changed, no write follows that would remove stale files.
    for (const path of [this.file, this.note]) await removeStale(this.folder, basename(path));
    const response = await this.request.get(url, conditions(await this.validators(), checksum));
    if (response.statusCode === 304) {
      response.destroy();
      return 'unchanged';
    }
    const { etag, 'last-modified': lastModified } = response.headers;
    const hash = createHash('sha256');
    let stamp: FileStamp | undefined;
    await writeFileAtomically(this.file, this.hashed(response, hash), {
      gzip: false,
      signal: this.request.signal,
      beforeSwap: async (partial) => {
        const sha256 = hash.digest('hex');
        if (checksum) await this.compare(url, sha256);
        const modified = lastModified === undefined ? NaN : Date.parse(lastModified);
        if (!Number.isNaN(modified)) await utimes(partial, new Date(), modified / 1000 + fractionOf(sha256));
        stamp = await stampOf(partial);
      },
    });
    const note = Buffer.from(JSON.stringify({ etag, lastModified, isVerified: checksum, stamp }));
    await writeFileAtomically(this.note, Readable.from([note]), { gzip: false });
    return 'fetched';
  }

  /** The validators of the file, if it is still the same. */
  private async validators(): Promise<Validators> {
    try {
      const noted = JSON.parse(await readFile(this.note, 'utf8')) as Validators;
      return isSameStamp(noted.stamp, await stampOf(this.file)) ? noted : {};
    } catch {
      return {};
    }
  }

  private async *hashed(response: IncomingMessage, hash: Hash): AsyncGenerator<Buffer> {
    let isEmpty = true;
    for await (const chunk of this.request.bounded(response)) {
      isEmpty = false;
      hash.update(chunk);
      yield chunk;
    }
    if (isEmpty) throw new Error('the response is empty');
  }

  private async compare(url: URL, sha256: string): Promise<void> {
    const address = checksumAddress(url);
    const suffix = address.pathname === url.pathname ? `?suffix=${address.searchParams.get('suffix')}` : '';
    const name = withoutQuery(address) + suffix;
    const expected = await this.checksumAt(address).catch((error: unknown) => {
      throw new Error(`its checksum ${name} cannot be fetched: ${reasonOf(error)}`, { cause: error });
    });
    if (expected === undefined) throw new Error(`${name} has no SHA-256`);
    if (expected !== sha256) throw new Error(`its SHA-256 is ${sha256}, but ${name} says ${expected}`);
  }

  private async checksumAt(address: URL): Promise<string | undefined> {
    const chunks: Buffer[] = [];
    const response = await this.request.get(address, {});
    for await (const chunk of this.request.bounded(response, MAX_CHECKSUM_BYTES)) chunks.push(chunk);
    const [found] = /\b[0-9a-f]{64}\b/i.exec(Buffer.concat(chunks).toString('latin1')) ?? [];
    return found?.toLowerCase();
  }
}

/**
 * A fraction of a second to add to a file's time, since servers send whole seconds: otherwise, a file of the same size and time
 * in a reused inode would pass for the previous one.
 */
const fractionOf = (sha256: string): number => (parseInt(sha256.slice(0, 8), 16) % 1000) / 1000;

const reasonOf = (error: unknown): string =>
  (error as Error).message || String((error as NodeJS.ErrnoException).code);

function conditions(
  { etag, lastModified, isVerified = false }: Validators,
  checksum: boolean,
): Record<string, string> {
  // The checksum may have been declared since.
  if (checksum && !isVerified) return {};
  if (etag !== undefined) return { 'if-none-match': etag };
  return lastModified === undefined ? {} : { 'if-modified-since': lastModified };
}

/** Sends requests to the hosts that are listed. */
class Fetch {
  constructor(
    private readonly credentials:
      { readonly user: string; readonly password: string; readonly origin: string } | undefined,
    private readonly rules: DownloadRules,
    readonly signal: AbortSignal,
  ) {}

  /** @returns a response with status 200, or 304 if there are conditions */
  async get(url: URL, conditional: Readonly<Record<string, string>>): Promise<IncomingMessage> {
    for (let redirects = 0; ; redirects += 1) {
      this.assertAllowed(url);
      const response = await this.send(url, conditional);
      const { statusCode = 0, headers } = response;
      if (statusCode === 200 || (statusCode === 304 && Object.keys(conditional).length > 0)) return response;
      response.destroy();
      if (![301, 302, 303, 307, 308].includes(statusCode) || headers.location === undefined)
        throw new Error(`the server returned ${statusCode}`);
      if (redirects === MAX_REDIRECTS) throw new Error(`there are more than ${MAX_REDIRECTS} redirects`);
      url = new URL(headers.location, url);
    }
  }

  /** A response's body, within the limits. */
  async *bounded(response: IncomingMessage, maxBytes = this.rules.maxBytes): AsyncGenerator<Buffer> {
    const encoding = response.headers['content-encoding'] ?? 'identity';
    if (encoding !== 'identity')
      throw new Error(`the server encodes it as ${encoding}, which was not requested`);
    let bytes = 0;
    // Leaving the loop early closes the connection; a truncated response is an error.
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new Error(`it is larger than ${maxBytes} bytes`);
      yield chunk;
    }
  }

  private assertAllowed(url: URL): void {
    if (url.protocol !== 'https:') throw new Error(`${withoutQuery(url)} is not an https address`);
    if (!this.rules.hosts.includes(url.hostname))
      throw new Error(`the host ${url.hostname} is not listed in iplookup.hosts`);
    this.rules.policy.assertLiteralPermitted(url);
  }

  private async send(url: URL, conditional: Readonly<Record<string, string>>): Promise<IncomingMessage> {
    const { user, password, origin } = this.credentials ?? {};
    const authorization =
      origin === url.origin && `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
    const headers = {
      ...conditional,
      'accept-encoding': 'identity',
      'user-agent': 'svccmd',
      ...(authorization !== false && { authorization }),
    };
    const route = await this.routeTo(url);
    return new Promise((resolve, reject) => {
      let response: IncomingMessage | undefined;
      const request = https.request(url, { ...route, headers, signal: this.signal }, (received) => {
        response = received;
        resolve(received);
      });
      // Also covers a socket that is already connected, such as one through a proxy.
      request.setTimeout(IDLE_MS, () => {
        const error = new Error(`the server was silent for ${IDLE_MS / 1000} s`);
        (response ?? request).destroy(error);
      });
      request.on('error', reject).end();
    });
  }

  /** Through the proxy that the environment names, which then resolves the host; else to a permitted address. */
  private async routeTo(url: URL): Promise<RequestOptions> {
    const { policy, ca } = this.rules;
    const proxy = proxyFor(url);
    if (proxy === undefined)
      return { agent: false, lookup: guardedLookup(policy), ...(ca && { ca: [...ca] }) };
    const socket = await openTunnel(proxy, url, { ca, signal: this.signal, timeoutMs: IDLE_MS });
    return { createConnection: () => socket };
  }
}

function proxyFor(url: URL): ReturnType<typeof chooseProxy> {
  try {
    return chooseProxy(url.href, undefined, process.env);
  } catch (error) {
    throw error instanceof ProxyAddressError
      ? new Error(`${error.setting}: ${error.message}`, { cause: error })
      : error;
  }
}
