import type { ContentStore } from '@svc/foundation/files';
import { bytesOf } from '@svc/library-sync';
import { FetchedObjects } from './fetched-objects.js';
import { ResponseTooLargeError } from './git-http.js';
import type { GitRemote } from './git-remote.js';
import { GitAnswerError } from './pkt-lines.js';
import { type GitObjects, PackTooLargeError } from './read-pack.js';
import { parentsOf } from './signed-object.js';

/** Limits on a history that is fetched without its contents. */
const HISTORY_LIMITS = { maxBytes: 64 << 20, maxObjects: 100_000 };

export interface Descent {
  readonly commit: string;
  readonly ancestor: string;
  /** What was fetched already. */
  readonly objects: GitObjects;
  /** Where contents are kept, if the server sends any. */
  readonly contents: ContentStore;
  /** Throws if the last response was truncated. */
  readonly assertWhole: () => void;
  readonly signal: AbortSignal;
}

/**
 * Whether a commit descends from another one, by the commits between them, which are fetched unless one is the other's parent.
 * The names of commits are digests, so a server can withhold an ancestor, but not make one up.
 *
 * @returns what completes "commit …", ending with the ancestor, if it is not known to descend
 */
export async function findNoDescent(remote: GitRemote, descent: Descent): Promise<string | undefined> {
  const { commit, ancestor, objects } = descent;
  if (leadsTo(ancestor, commit, objects)) return undefined;
  try {
    const history = await fetchHistory(remote, descent);
    if (leadsTo(ancestor, commit, history)) return undefined;
    return `is older, or on a different branch: it does not descend from ${ancestor}`;
  } catch (error) {
    const excess = excessOf(error);
    if (excess === undefined) throw error;
    return `has too long a history to check (${excess}): it is not known to descend from ${ancestor}`;
  }
}

function excessOf(error: unknown): string | undefined {
  if (error instanceof ResponseTooLargeError) return `the fetch exceeds the ${error.limit}`;
  return error instanceof PackTooLargeError ? error.message : undefined;
}

async function fetchHistory(remote: GitRemote, descent: Descent): Promise<GitObjects> {
  const { commit, ancestor, contents, assertWhole, signal } = descent;
  if (await remote.canFilter()) {
    try {
      const fetched = new FetchedObjects(contents, assertWhole, signal, HISTORY_LIMITS);
      await fetched.add(await remote.packOfHistory(commit, ancestor, true));
      return fetched.objects;
    } catch (error) {
      assertWhole();
      // It offers filters, but not this one.
      if (!(error instanceof GitAnswerError)) throw error;
    }
  }
  const fetched = new FetchedObjects(contents, assertWhole, signal);
  await fetched.add(await remote.packOfHistory(commit, ancestor, false));
  return fetched.objects;
}

function leadsTo(ancestor: string, commit: string, objects: GitObjects): boolean {
  const seen = new Set([commit]);
  for (const oid of seen) {
    if (oid === ancestor) return true;
    const object = objects.get(oid);
    if (object?.type !== 'commit') continue;
    // Iteration over a set visits what is added meanwhile.
    for (const parent of parentsOf(bytesOf(object.data))) seen.add(parent);
  }
  return false;
}
