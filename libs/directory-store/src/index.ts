export { DirectoryLibraryStore, type DirectoryStoreOptions } from './directory-library-store.js';
