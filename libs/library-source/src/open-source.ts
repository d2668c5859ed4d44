import type { LibrarySource } from '@svc/library-sync';
import { FolderSource } from './folder-source.js';
import { isGitAddress } from './git/git-address.js';
import { GitSource, type GitSourceOptions } from './git/git-source.js';

/**
 * A folder or a git repository, by the form of its address.
 *
 * @throws {RangeError} when the address makes no sense; its message never repeats it
 */
export function openSource(options: GitSourceOptions): LibrarySource {
  if (isGitAddress(options.address)) return new GitSource(options);
  return new FolderSource(options.address.replace(/^file:\/\//, ''), options.subfolder);
}
