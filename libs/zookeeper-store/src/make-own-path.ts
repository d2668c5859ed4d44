import { posix } from 'node:path';
import { type AccessEntry, toSharedAcl } from './wire/access-rules.js';
import type { ZookeeperClient } from './zookeeper-client.js';

/** Makes a node with these rights; what is missing above it is made for others too. */
export async function makeOwnPath(
  client: ZookeeperClient,
  path: string,
  acl: readonly AccessEntry[],
): Promise<void> {
  await client.makePath(posix.dirname(path), toSharedAcl(acl));
  await client.makePath(path, acl);
}
