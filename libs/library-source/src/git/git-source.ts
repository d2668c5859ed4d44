import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { isNativeError } from 'node:util/types';
import { ContentStore } from '@svc/foundation/files';
import {
  type EntryFilter,
  type LastLoaded,
  type LibrarySource,
  SourceConfigurationError,
  type SourceTree,
  SourceUnreachableError,
  UnverifiedSourceError,
} from '@svc/library-sync';
import { toSubfolder } from '../address/source-address.js';
import { CommitCheck, type VerifyOptions } from './commit-check.js';
import { fetchTree, NoFolderError } from './fetch-tree.js';
import { chooseProxy, type HttpProxy } from '../proxy/choose-proxy.js';
import { type GitAddress, parseGitAddress } from './git-address.js';
import { createGitHttp, type GitHttp } from './git-http.js';
import { GitRemote, type GitServerFacts } from './git-remote.js';
import { oneLine } from './server-message.js';
import { SecretScrubber } from './secret-scrubber.js';

export interface GitSourceOptions {
  /** `git://user:token@host/path.git#ref`; see `parseGitAddress`. */
  readonly address: string;
  /** Branch, tag or full commit id; overrides the address. Default: the repository's default branch. */
  readonly ref?: string | undefined;
  /** The library's root within the repository. */
  readonly subfolder?: string | undefined;
  /** gitignore patterns that the filter will apply: with any, only the files that pass it are fetched. */
  readonly exclude?: readonly string[] | undefined;
  /** PEM file with CAs to trust in addition to the system's. */
  readonly caFile?: string | undefined;
  /** `http://user:password@host:port`, or `none`; overrides `HTTPS_PROXY` and `HTTP_PROXY` in the environment. */
  readonly proxy?: string | undefined;
  /** For the whole read. Default 60 s. */
  readonly deadlineMs?: number | undefined;
  /** Limit on the pack, which is kept in a temporary file. Default 256 MiB. */
  readonly maxBytes?: number | undefined;
  /** An empty file for the contents, which the caller closes. Default: one of its own. */
  readonly contentFile?: number | undefined;
  /** Which commits may be loaded; any if absent. */
  readonly verify?: VerifyOptions | undefined;
  /** What is known about the server; updated by each read. */
  readonly server?: GitServerFacts | undefined;
}

const DEADLINE_MS = 60_000;
const MAX_BYTES = 256 * 1024 * 1024;
/** Length of an error message: servers can be verbose. */
const MAX_REASON = 500;
/** Asked for only to tell an empty repository from one without the wanted branch. */
const ANY_REF = ['HEAD', 'refs/heads/', 'refs/tags/'];
const COMMIT_ID = /^[0-9a-f]{40}$/;

/** A library in a git repository, read over https without a checkout. The token never leaves this object. */
export class GitSource implements LibrarySource {
  readonly kind = 'git';
  readonly name: string;
  readonly origin: string;
  private readonly address: GitAddress;
  private readonly ref: string | undefined;
  private readonly subfolder: string;
  private readonly scrubber: SecretScrubber;
  private readonly proxy: HttpProxy | undefined;
  private readonly server: GitServerFacts;
  /** What the last `read` found. */
  private contents: ContentStore | undefined;

  /** @throws {RangeError} if the address or the proxy's is invalid; the message never contains it */
  constructor(private readonly options: GitSourceOptions) {
    this.address = parseGitAddress(options.address);
    this.ref = options.ref ?? this.address.ref;
    this.subfolder = toSubfolder(options.subfolder);
    this.server = options.server ?? {};
    this.proxy = chooseProxy(this.address.url, options.proxy, process.env);
    const { user, password: token } = this.proxy ?? {};
    this.scrubber = new SecretScrubber(this.address, { user, token });
    const place = this.subfolder ? `, folder ${this.subfolder}` : '';
    // Both forms of an @ are of one source.
    this.origin = `${this.address.url.replaceAll('%40', '@')}${place}`;
    this.name = `${this.address.url}${this.ref === undefined ? '' : `#${this.ref}`}${place}`;
  }

  async revision(signal?: AbortSignal): Promise<string> {
    return this.guarded(signal, async (http) => {
      if (this.ref !== undefined && this.isCommitId) return this.ref;
      const found = await this.find(this.remote(http));
      return found.peeled ?? found.oid;
    });
  }

  async read(
    createFilter: (ignoreFile: string | undefined) => EntryFilter,
    signal?: AbortSignal,
    _maxBytes?: number,
    lastLoaded?: () => Promise<LastLoaded | undefined>,
  ): Promise<SourceTree> {
    const { verify, exclude = [], contentFile } = this.options;
    this.release();
    const contents = (this.contents = new ContentStore({ file: contentFile }));
    const check = verify && new CommitCheck(verify, this.address.url, this.ref, lastLoaded);
    return this.guarded(signal, async (http, limited) => {
      const remote = this.remote(http);
      const { oid } = await this.find(remote);
      return fetchTree(remote, {
        oid,
        subfolder: this.subfolder,
        isPart: this.subfolder !== '' || exclude.length > 0,
        createFilter,
        check,
        contents,
        assertWhole: http.assertWhole,
        signal: limited,
      });
    });
  }

  release(): void {
    this.contents?.release();
  }

  private get isCommitId(): boolean {
    return this.ref !== undefined && COMMIT_ID.test(this.ref);
  }

  private remote(http: GitHttp): GitRemote {
    return new GitRemote(http, this.address.url, this.server);
  }

  /** Resolves the ref to the object to request, and for an annotated tag also to its commit. */
  private async find(remote: GitRemote): Promise<{ oid: string; peeled?: string | undefined }> {
    const { ref } = this;
    if (ref !== undefined && this.isCommitId) return { oid: ref };
    const wanted = ref === undefined ? ['HEAD'] : [`refs/heads/${ref}`, `refs/tags/${ref}`, ref];
    const refs = await remote.refs(wanted);
    const name = wanted.find((one) => refs.has(one));
    if (name !== undefined) return { oid: refs.get(name)!, peeled: refs.get(`${name}^{}`) };
    if (refs.size === 0 && (await remote.refs(ANY_REF)).size === 0) {
      throw new SourceUnreachableError(`the repository ${this.address.url} is empty`);
    }
    const what = ref === undefined ? 'default branch; name one in source.ref' : `branch or tag ${ref}`;
    const hint = ref !== undefined && /^[0-9a-f]{7,39}$/.test(ref) ? '; write a commit id in full' : '';
    throw new SourceUnreachableError(`the repository ${this.address.url} has no ${what}${hint}`);
  }

  /** Enforces the deadline and removes the token from errors. */
  private async guarded<T>(
    signal: AbortSignal | undefined,
    use: (http: GitHttp, limited: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { deadlineMs = DEADLINE_MS, maxBytes = MAX_BYTES } = this.options;
    const deadline = AbortSignal.timeout(deadlineMs);
    const limited = signal ? AbortSignal.any([signal, deadline]) : deadline;
    const { url, user, token } = this.address;
    const credentials = user === undefined ? undefined : `${user}:${token ?? ''}`;
    try {
      const http = createGitHttp({
        credentials,
        url,
        ca: this.authorities(),
        proxy: this.proxy,
        maxBytes,
        signal: limited,
        scrub: (text) => this.scrubber.text(text),
      });
      return await use(http, limited).finally(http.assertWhole);
    } catch (error) {
      const clean = this.scrubber.error(error);
      if (signal?.aborted) throw clean;
      if (deadline.aborted)
        throw new SourceUnreachableError(`${url} took longer than ${deadlineMs / 1000} s`, { cause: clean });
      throw this.explain(clean);
    }
  }

  private authorities(): string[] | undefined {
    const { caFile } = this.options;
    if (caFile === undefined) return undefined;
    try {
      return [...rootCertificates, readFileSync(caFile, 'utf8')];
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new SourceUnreachableError(`cannot read the certificates in ${caFile} (${code})`, {
        cause: error,
      });
    }
  }

  private explain(error: unknown): unknown {
    if (error instanceof NoFolderError) {
      return new SourceUnreachableError(`${this.address.url} has ${error.message}`);
    }
    if (FINAL_ERRORS.some((type) => error instanceof type) || !isNativeError(error)) return error;
    const { code } = error as NodeJS.ErrnoException;
    const reason = oneLine(error.message, MAX_REASON);
    const hint = this.isCommitId && /not our ref|no branch or tag is at/i.test(reason) ? ONLY_ADVERTISED : '';
    const text = `cannot read ${this.address.url}: ${reason}${hint}${code ? ` (${code})` : ''}`;
    return new SourceUnreachableError(text, { cause: error });
  }
}

/** They say what failed themselves. */
const FINAL_ERRORS = [SourceConfigurationError, SourceUnreachableError, UnverifiedSourceError] as const;

const ONLY_ADVERTISED = '; the server only serves commits at the tip of a branch or tag: use a branch or tag';
