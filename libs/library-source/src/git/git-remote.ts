import type { HttpClient } from 'isomorphic-git';
import type * as Protocol from 'isomorphic-git/managers';
import { readUploadPackAnswer, uploadPackRequest } from './upload-pack.js';

/** The part of `GitRemoteHTTP.discover`'s result used here. */
interface Advertisement {
  readonly capabilities: ReadonlySet<string>;
  readonly refs: ReadonlyMap<string, string>;
}

const SERVICE = 'git-upload-pack';

/**
 * A repository served over git's smart HTTP protocol. isomorphic-git handles discovery; packs are read by our own code,
 * since isomorphic-git would unpack each object twice, in JavaScript.
 */
export class GitRemote {
  private advertisement: Promise<Advertisement> | undefined;

  constructor(
    private readonly http: HttpClient,
    private readonly url: string,
  ) {}

  /** SHA-1 of each branch, tag and `HEAD` by full name; `<name>^{}` is the object an annotated tag points to. */
  async refs(): Promise<ReadonlyMap<string, string>> {
    return (await this.discover()).refs;
  }

  /**
   * Fetches an object and everything it contains, without history.
   *
   * @returns the pack, in chunks
   */
  async pack(oid: string): Promise<AsyncIterable<Buffer>> {
    const { capabilities } = await this.discover();
    const { GitRemoteHTTP } = await loadProtocol();
    const { body } = await GitRemoteHTTP.connect({
      http: this.http,
      service: SERVICE,
      url: this.url,
      headers: {},
      auth: {},
      body: [uploadPackRequest(oid, capabilities)],
    });
    return readUploadPackAnswer(body as AsyncIterable<Uint8Array>);
  }

  private async discover(): Promise<Advertisement> {
    this.advertisement ??= this.requestAdvertisement();
    return this.advertisement;
  }

  private async requestAdvertisement(): Promise<Advertisement> {
    const { GitRemoteHTTP } = await loadProtocol();
    const discovering = GitRemoteHTTP.discover({
      http: this.http,
      service: SERVICE,
      url: this.url,
      headers: {},
      protocolVersion: 1,
    }) as Promise<Advertisement>;
    const found = await discovering.catch((error: unknown) => {
      throw withServerMessage(error);
    });
    if (found.capabilities.has('object-format=sha256')) {
      throw new Error('the repository names its objects by SHA-256, which is not supported');
    }
    return found;
  }
}

/** Servers may send a line `ERR <reason>` instead of the list. */
function withServerMessage(error: unknown): unknown {
  const { actual } = (error as { readonly data?: { readonly actual?: unknown } }).data ?? {};
  if (typeof actual !== 'string' || !actual.startsWith('ERR ')) return error;
  return new Error(`the server says: ${actual.slice('ERR '.length)}`);
}

/** Only the part of isomorphic-git used here; the whole takes twice as long to load. */
async function loadProtocol(): Promise<typeof Protocol> {
  return import('isomorphic-git/managers');
}
