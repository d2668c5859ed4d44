export { LIBRARY_STORE_FACTS, type LibraryStoreFact } from './library-store-facts.js';
export { PLAIN_LOAD } from './load-options.js';
export { MemoryCluster, MemoryLibraryStore } from './memory-library-store.js';
