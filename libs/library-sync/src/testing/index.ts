export { LIBRARY_STORE_FACTS, type LibraryStoreFact } from './library-store-facts.js';
export { type Files, fixedSource, PLAIN_LOAD } from './load-fixtures.js';
export { MemoryCluster, MemoryLibraryStore } from './memory-library-store.js';
