import { type ZookeeperClientOptions, ZookeeperClient } from '../../src/zookeeper-client.js';
import { parseZookeeperAddresses } from '../../src/session/zookeeper-addresses.js';
import { toAcl } from '../../src/wire/access-rules.js';

const opened: ZookeeperClient[] = [];

export const OPEN = toAcl('open');

/** Connects with a short session, so that failures are noticed quickly. */
export async function connect(
  addresses: string,
  options: Partial<ZookeeperClientOptions> = {},
): Promise<ZookeeperClient> {
  const { servers } = parseZookeeperAddresses(addresses);
  const client = await ZookeeperClient.connect({
    servers,
    timeoutMs: 8_000,
    sessionTimeoutMs: 3_000,
    maxReplyBytes: 4 << 20,
    ...options,
  });
  opened.push(client);
  return client;
}

export async function closeAll(): Promise<void> {
  await Promise.all(opened.splice(0).map(async (client) => client.close()));
}

export async function createNode(client: ZookeeperClient, path: string, data = ''): Promise<void> {
  await client.multi([{ type: 'create', path, data: Buffer.from(data), acl: OPEN }]);
}
