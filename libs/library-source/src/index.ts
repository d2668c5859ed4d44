export { FolderSource } from './folder-source.js';
export { type GitAddress, isGitAddress, parseGitAddress } from './git-address.js';
export { GitSource, type GitSourceOptions } from './git-source.js';
export { LoadCopies } from './load-copies.js';
export { openSource } from './open-source.js';
export { SecretScrubber } from './secret-scrubber.js';
