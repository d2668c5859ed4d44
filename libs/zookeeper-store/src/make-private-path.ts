import { posix } from 'node:path';
import { type AccessEntry, toSharedAcl } from './wire/access-rules.js';
import type { ZookeeperClient } from './zookeeper-client.js';

/** Creates a node with this ACL; missing parents get the shared one, so that others can use them. */
export async function makePrivatePath(
  client: ZookeeperClient,
  path: string,
  acl: readonly AccessEntry[],
): Promise<void> {
  await client.makePath(posix.dirname(path), toSharedAcl(acl));
  await client.makePath(path, acl);
}
