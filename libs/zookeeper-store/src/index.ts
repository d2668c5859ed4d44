export { type AccessRules } from './wire/access-rules.js';
export { parseZookeeperAddresses } from './session/zookeeper-addresses.js';
export { ZookeeperLibraryStore, type ZookeeperStoreOptions } from './zookeeper-library-store.js';
