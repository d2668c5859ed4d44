export { DirectoryLibraryStore, type DirectoryStoreOptions } from './directory-library-store.js';
export {
  type PullCounts,
  PullFailedError,
  pullLibrary,
  type PullOptions,
  PullRefusedError,
} from './pull-library.js';
