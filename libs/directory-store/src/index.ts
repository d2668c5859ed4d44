export { DirectoryLibraryStore, type DirectoryStoreOptions } from './directory-library-store.js';
export { pullLibrary, type PullOptions, PullRefusedError } from './pull-library.js';
