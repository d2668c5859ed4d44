import type { LibrarySource } from '@svc/library-sync';
import { FolderSource, type FolderSourceOptions } from './folder/folder-source.js';
import { GitSource, type GitSourceOptions } from './git/git-source.js';
import { folderOfUrl, isFolderPath } from './address/source-address.js';

/**
 * Opens a folder or git repository, depending on the address: a path, `file:///folder` or a git URL.
 *
 * @throws {RangeError} if the address is invalid; the message never contains it
 */
export function openSource(options: GitSourceOptions & FolderSourceOptions): LibrarySource {
  const { address, ref } = options;
  const isFolder = isFolderPath(address);
  if (!isFolder && !/^file:/i.test(address)) return new GitSource(options);
  if (ref !== undefined) throw new RangeError('a folder has no branch, tag or commit; leave the ref out');
  return new FolderSource(isFolder ? address : folderOfUrl(address), options);
}
