import { StoreRefusedError } from '@svc/library-sync';
import { parseZookeeperAddresses } from './session/zookeeper-addresses.js';
import { asStoreError, toStoreError } from './store-errors.js';
import type { AccessRules } from './wire/access-rules.js';
import { ZookeeperClient, type ZookeeperClientOptions } from './zookeeper-client.js';

type ClientDefaults = 'sessionTimeoutMs' | 'maxReplyBytes';

/** A cluster, and how to use it. */
export interface ZookeeperClusterOptions extends Omit<ZookeeperClientOptions, 'servers' | ClientDefaults> {
  /** `host:port,host:port/chroot` */
  readonly addresses: string;
  /** Access to created nodes. Default `open`. */
  readonly acl?: AccessRules | undefined;
  /** Also how long a lock outlives a killed load. Default 10 s. */
  readonly sessionTimeoutMs?: number | undefined;
  /** Maximum reply size in bytes. Default 4 MiB. */
  readonly maxReplyBytes?: number | undefined;
  /** The servers' request limit (`jute.maxbuffer`), in bytes. Default: ZooKeeper's. */
  readonly maxRequestBytes?: number | undefined;
  /** Creates a missing chroot on the first write; otherwise a missing chroot is an error. */
  readonly createChroot?: boolean | undefined;
}

const SESSION_TIMEOUT_MS = 10_000;
const MAX_REPLY_BYTES = 4 << 20;
/** The least a session needs. */
const MIN_REPLY_BYTES = 1_024;
/** The least the loader's own nodes need. */
const MIN_REQUEST_BYTES = 16_384;

/**
 * @throws {StoreUnreachableError} naming the servers and the last error
 * @throws {StoreRefusedError} if the chroot does not exist, since it may be misspelt
 * @throws {RangeError} if the options are invalid or contradictory
 * @throws {UnusableTlsError} if the certificates or the key are unusable
 */
export async function connectCluster(options: ZookeeperClusterOptions): Promise<ZookeeperClient> {
  const { servers, chroot } = parseZookeeperAddresses(options.addresses);
  if (options.acl !== undefined && options.acl !== 'open' && options.auth === undefined) {
    throw new RangeError(`acl "${options.acl}" gives rights to authenticated users: it needs auth`);
  }
  if (options.auth !== undefined && !/^[^:]+:./s.test(options.auth)) {
    throw new RangeError('auth must be user:password');
  }
  const { sessionTimeoutMs = SESSION_TIMEOUT_MS, maxReplyBytes = MAX_REPLY_BYTES } = options;
  if (options.maxRequestBytes !== undefined && options.maxRequestBytes < MIN_REQUEST_BYTES) {
    throw new RangeError(`max_request must be at least ${MIN_REQUEST_BYTES} bytes`);
  }
  if (maxReplyBytes < MIN_REPLY_BYTES) {
    throw new RangeError(`max_reply must be at least ${MIN_REPLY_BYTES} bytes`);
  }
  const client = await ZookeeperClient.connect({
    ...options,
    servers,
    sessionTimeoutMs,
    maxReplyBytes,
  }).catch(toStoreError);
  try {
    if (!options.createChroot) await assertChroot(client, chroot);
  } catch (error) {
    await client.close();
    throw asStoreError(error);
  }
  return client;
}

async function assertChroot(client: ZookeeperClient, chroot: string): Promise<void> {
  if (chroot === '' || (await client.getStat(chroot))) return;
  throw new StoreRefusedError(
    `the chroot ${chroot} of destination.urls does not exist in ZooKeeper; correct it, or create it with --create-chroot`,
  );
}
