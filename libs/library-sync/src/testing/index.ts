export { LIBRARY_STORE_FACTS, type LibraryStoreFact } from './library-store-facts.js';
export { MemoryCluster, MemoryLibraryStore } from './memory-library-store.js';
