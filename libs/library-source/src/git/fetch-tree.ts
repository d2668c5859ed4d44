import type { ContentStore } from '@svc/foundation/files';
import { type EntryFilter, type SourceTree, SourceUnreachableError } from '@svc/library-sync';
import type { CommitCheck } from './commit-check.js';
import { FetchedObjects } from './fetched-objects.js';
import type { GitRemote } from './git-remote.js';
import { GitTree } from './git-tree.js';
import { GitAnswerError } from './pkt-lines.js';

export interface TreeRequest {
  /** Id of a commit or annotated tag. */
  readonly oid: string;
  /** The library's root within the repository; empty for the repository's own. */
  readonly subfolder: string;
  /** True if much of the repository may be excluded, so that only the files that pass the filter should be fetched. */
  readonly isPart: boolean;
  readonly createFilter: (ignoreFile: string | undefined) => EntryFilter;
  /** Runs as soon as the commit has been fetched. */
  readonly check?: CommitCheck | undefined;
  /** Where the contents of files are kept. */
  readonly contents: ContentStore;
  /** Throws if the last response was truncated. */
  readonly assertWhole: () => void;
  readonly signal: AbortSignal;
}

/** Wants per request, each of 50 bytes: `git http-backend` takes 10 MB. */
const WANTS_AT_ONCE = 20_000;

/**
 * Fetches a commit's files: for a part of a repository, its folders first and then only the wanted contents, if the server
 * can do that.
 */
export async function fetchTree(remote: GitRemote, request: TreeRequest): Promise<SourceTree> {
  if (!request.isPart || !(await remote.canFilter())) return fetchWhole(remote, request);
  try {
    return await fetchPart(remote, request);
  } catch (error) {
    request.assertWhole();
    // It offers filters, but does not serve them, or not all of the contents afterwards.
    if (error instanceof GitAnswerError) return fetchWhole(remote, request);
    throw error;
  }
}

async function fetchWhole(remote: GitRemote, request: TreeRequest): Promise<SourceTree> {
  const fetched = new FetchedObjects(request.contents, request.assertWhole, request.signal);
  await fetched.add(await remote.pack(request.oid));
  const { tree, revision, root, checked } = await openTree(remote, fetched, request);
  const filter = request.createFilter(await tree.ignoreFile(root));
  return { entries: await tree.entries(root, filter), revision, ...checked };
}

async function fetchPart(remote: GitRemote, request: TreeRequest): Promise<SourceTree> {
  const fetched = new FetchedObjects(request.contents, request.assertWhole, request.signal);
  const complete = async (missing: readonly string[]): Promise<void> => {
    for (let start = 0; start < missing.length; start += WANTS_AT_ONCE) {
      await fetched.add(await remote.packOfBlobs(missing.slice(start, start + WANTS_AT_ONCE)));
    }
  };
  await fetched.add(await remote.packWithoutBlobs(request.oid));
  const { tree, revision, root, checked } = await openTree(remote, fetched, request);
  await complete(await tree.missingIgnoreFile(root));
  const filter = request.createFilter(await tree.ignoreFile(root));
  await complete(await tree.missingFiles(root, filter));
  return { entries: await tree.entries(root, filter), revision, ...checked };
}

interface OpenTree {
  readonly tree: GitTree;
  readonly revision: string;
  readonly root: string;
  readonly checked: Awaited<ReturnType<CommitCheck['check']>> | undefined;
}

async function openTree(
  remote: GitRemote,
  { objects }: FetchedObjects,
  { oid, subfolder, signal, check, contents, assertWhole }: TreeRequest,
): Promise<OpenTree> {
  const tree = new GitTree(objects, signal);
  const revision = tree.commit(oid);
  const checked = await check?.check(remote, { oid, revision, objects, contents, assertWhole, signal });
  const root = await tree.root(revision, subfolder);
  if (root === undefined) throw new NoFolderError(subfolder, revision);
  return { tree, revision, root, checked };
}

/** The commit has no such folder. */
export class NoFolderError extends SourceUnreachableError {
  constructor(
    readonly folder: string,
    readonly revision: string,
  ) {
    super(`no folder ${folder} at ${revision}`);
  }
}
