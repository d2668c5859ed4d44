import type * as Protocol from 'isomorphic-git/managers';
import type { GitHttp } from './git-http.js';
import { GitAnswerError } from './pkt-lines.js';
import {
  fetchRequest,
  hasFetchFeature,
  lsRefsRequest,
  readLsRefsAnswer,
  type V2Capabilities,
  type WantedObjects,
} from './protocol-v2.js';
import { readUploadPackAnswer, uploadPackRequest } from './upload-pack.js';

/** What earlier requests revealed about a server. */
export interface GitServerFacts {
  speaksV2?: boolean;
}

/** The parts of `GitRemoteHTTP.discover`'s result used here. */
type Advertisement =
  | { readonly protocolVersion: 2; readonly capabilities2: V2Capabilities }
  | {
      readonly protocolVersion: 1;
      readonly capabilities: ReadonlySet<string>;
      readonly refs: ReadonlyMap<string, string>;
    };

type Refs = ReadonlyMap<string, string>;

const SERVICE = 'git-upload-pack';
const MAY_WANT_ANY = ['allow-tip-sha1-in-want', 'allow-reachable-sha1-in-want'];

/**
 * A repository served over git's smart HTTP protocol: version 2 if the server speaks it, otherwise version 0. Only
 * discovery is isomorphic-git's: it fetches in version 0 only, whole commits, and would unpack each object twice.
 */
export class GitRemote {
  private advertisement: Promise<Advertisement> | undefined;

  /** @param facts written to as well; they save requests to a server that was asked before */
  constructor(
    private readonly http: GitHttp,
    private readonly url: string,
    private readonly facts: GitServerFacts,
  ) {}

  /**
   * SHA-1 of branches, tags and `HEAD` by full name; `<name>^{}` is the object an annotated tag points to. At least those
   * whose names start with a prefix: servers of version 0 always send all.
   */
  async refs(prefixes: readonly string[]): Promise<Refs> {
    if (this.facts.speaksV2 && !this.advertisement) {
      const refs = await this.refsAtOnce(prefixes);
      if (refs) return refs;
    }
    const found = await this.discover();
    return found.protocolVersion === 2 ? this.listRefs(prefixes, found.capabilities2) : found.refs;
  }

  /** Whether the contents of files can be fetched separately. */
  async canFilter(): Promise<boolean> {
    const found = await this.discover();
    return found.protocolVersion === 2 && hasFetchFeature(found.capabilities2, 'filter');
  }

  /** Fetches a commit or annotated tag and everything it contains, without history. @returns the pack, in chunks */
  async pack(oid: string): Promise<AsyncIterable<Buffer>> {
    const found = await this.discover();
    if (found.protocolVersion === 2) {
      return this.fetch({ oids: [oid], isShallow: true }, found.capabilities2);
    }
    const { capabilities, refs } = found;
    if (!MAY_WANT_ANY.some((name) => capabilities.has(name)) && ![...refs.values()].includes(oid)) {
      throw new GitAnswerError(`no branch or tag is at ${oid}`);
    }
    return readUploadPackAnswer(await this.post([uploadPackRequest(oid, capabilities)], {}));
  }

  /** Fetches what {@link pack} does, without the contents of files; only if {@link canFilter}. */
  async packWithoutBlobs(oid: string): Promise<AsyncIterable<Buffer>> {
    return this.fetchV2({ oids: [oid], isShallow: true, filter: 'blob:none' });
  }

  /** Fetches files' contents; only if {@link canFilter}. */
  async packOfBlobs(oids: readonly string[]): Promise<AsyncIterable<Buffer>> {
    return this.fetchV2({ oids, isShallow: false });
  }

  /**
   * Fetches a commit that {@link pack} could fetch, and its ancestors, except those that another commit has as well.
   *
   * @param isWithoutContents true for commits only, which requires {@link canFilter}; false to include everything they contain
   *   that the other commit does not
   */
  async packOfHistory(oid: string, have: string, isWithoutContents: boolean): Promise<AsyncIterable<Buffer>> {
    const found = await this.discover();
    if (found.protocolVersion === 2) {
      const filter = isWithoutContents ? 'tree:0' : undefined;
      return this.fetch({ oids: [oid], isShallow: false, filter, have }, found.capabilities2);
    }
    return readUploadPackAnswer(await this.post([uploadPackRequest(oid, found.capabilities, have)], {}));
  }

  private async fetchV2(wanted: WantedObjects): Promise<AsyncIterable<Buffer>> {
    const found = await this.discover();
    if (found.protocolVersion !== 2) throw new GitAnswerError('the server does not support version 2');
    return this.fetch(wanted, found.capabilities2);
  }

  private async fetch(wanted: WantedObjects, offered: V2Capabilities): Promise<AsyncIterable<Buffer>> {
    return readUploadPackAnswer(await this.post([fetchRequest(wanted, offered)], V2_HEADERS));
  }

  /** Lists without discovery. @returns undefined if the server no longer supports version 2 */
  private async refsAtOnce(prefixes: readonly string[]): Promise<Refs | undefined> {
    try {
      return await this.listRefs(prefixes, {});
    } catch (error) {
      this.http.assertWhole();
      if (!(error instanceof GitAnswerError)) throw error;
      delete this.facts.speaksV2;
      return undefined;
    }
  }

  private async listRefs(prefixes: readonly string[], offered: V2Capabilities): Promise<Refs> {
    return readLsRefsAnswer(await this.post([lsRefsRequest(prefixes, offered)], V2_HEADERS));
  }

  private async post(
    body: readonly Buffer[],
    headers: Readonly<Record<string, string>>,
  ): Promise<AsyncIterable<Uint8Array>> {
    const { GitRemoteHTTP } = await loadProtocol();
    const response = await GitRemoteHTTP.connect({
      http: this.http.client,
      service: SERVICE,
      url: this.url,
      headers: { ...headers },
      auth: {},
      body,
    });
    return response.body as AsyncIterable<Uint8Array>;
  }

  private async discover(): Promise<Advertisement> {
    this.advertisement ??= this.requestAdvertisement();
    return this.advertisement;
  }

  private async requestAdvertisement(): Promise<Advertisement> {
    const { GitRemoteHTTP } = await loadProtocol();
    const discovering = GitRemoteHTTP.discover({
      http: this.http.client,
      service: SERVICE,
      url: this.url,
      headers: {},
      protocolVersion: 2,
    }) as Promise<Advertisement>;
    const found = await discovering.catch((error: unknown) => {
      throw withServerMessage(error);
    });
    const isSha256 =
      found.protocolVersion === 2
        ? found.capabilities2['object-format'] === 'sha256'
        : found.capabilities.has('object-format=sha256');
    if (isSha256) throw new Error('the repository names its objects by SHA-256, which is not supported');
    this.facts.speaksV2 = found.protocolVersion === 2;
    return found;
  }
}

const V2_HEADERS = { 'git-protocol': 'version=2' };

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
