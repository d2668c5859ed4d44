export { askForJson, askJson, type JsonRequest } from './ask-json.js';
export { BareChromium } from './bare-chromium.js';
export { listeningAddress } from './listening-address.js';
export { type PostgresOptions, type PostgresServer, startPostgres } from './postgres.js';
export { PostgresCluster } from './postgres-cluster.js';
export { type Pgbouncer, startPgbouncer } from './pgbouncer.js';
export { SharedPostgres } from './shared-postgres.js';
export { GitRepository, type GitFile } from './git-repository.js';
export {
  type GitRequest,
  type GitServer,
  type GitServerFaults,
  type GitServerOptions,
  startGitServer,
} from './git-server.js';
export { SigningKeys, type SigningKey } from './signing-keys.js';
export { type CollectedSpan, startTraceCollector, type TraceCollector } from './trace-collector.js';
export { type Certificates, makeCertificates } from './tls-certificates.js';
export { startZookeeper, type ZookeeperOptions, type ZookeeperServer } from './zookeeper.js';
export { migrationsDigest, placeEmbeddedDatabase } from './embedded-database.js';
export { eventually } from './eventually.js';
export { freePort } from './free-port.js';
export { fastestOf } from './fastest-of.js';
export { query } from './test-database.js';
export { startTcpProxy, type TcpProxy } from './tcp-proxy.js';
export { startZookeeperEnsemble, type ZookeeperEnsemble } from './zookeeper-ensemble.js';
export { recordAnswer, recordFigure, recordLog, recordSecrets } from './run-record.js';
export { restartInTurn } from './rolling-restart.js';
export { mayMount, type SmallDisk, mountSmallDisk } from './small-disk.js';
export { CAPABILITIES, type MadeUpRepository, type PackServer, startPackServer } from './pack-server.js';
export { Flood, type FloodRequest } from './flood.js';
export { longestProbe, type LongestProbe, mainThreadMs } from './health-probe.js';
export { type HttpProxyServer, startHttpProxy } from './http-proxy.js';
