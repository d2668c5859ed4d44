import type { LibrarySource } from '@svc/library-sync';
import { FolderSource, type FolderSourceOptions } from './folder/folder-source.js';
import { GitSource, type GitSourceOptions } from './git/git-source.js';
import { folderOfUrl, isFolderPath } from './address/source-address.js';

/**
 * A folder or a git repository, by the form of its address: a path, `file:///folder` or a git URL.
 *
 * @throws {RangeError} when the address is invalid; its message never repeats it
 */
export function openSource(options: GitSourceOptions & FolderSourceOptions): LibrarySource {
  const { address, ref } = options;
  const isFolder = isFolderPath(address);
  if (!isFolder && !/^file:/i.test(address)) return new GitSource(options);
  if (ref !== undefined) throw new RangeError('a folder has no branch, tag or commit; leave the ref out');
  return new FolderSource(isFolder ? address : folderOfUrl(address), options);
}
