export { type AccessRules } from './access-rules.js';
export { parseZookeeperAddresses } from './zookeeper-addresses.js';
export { ZookeeperLibraryStore, type ZookeeperStoreOptions } from './zookeeper-library-store.js';
