export { FolderSource } from './folder/folder-source.js';
export { type GitAddress, parseGitAddress } from './git/git-address.js';
export type { GitServerFacts } from './git/git-remote.js';
export { GitSource, type GitSourceOptions } from './git/git-source.js';
export { LoadCopies, MissingCopyError } from './load-copies.js';
export { openSource } from './open-source.js';
export { SecretScrubber } from './git/secret-scrubber.js';
export { folderOfUrl, isFolderPath } from './address/source-address.js';
export { ProxyAddressError } from './proxy/choose-proxy.js';
