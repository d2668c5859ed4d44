export { type AccessRules } from './wire/access-rules.js';
export { type ZookeeperClusterOptions } from './connect-cluster.js';
export { assertLibraryPath } from './library-root.js';
export { UnusableTlsError } from './session/secure-context.js';
export {
  ZookeeperCluster,
  ZookeeperLibraryStore,
  type ZookeeperStoreOptions,
} from './zookeeper-library-store.js';
