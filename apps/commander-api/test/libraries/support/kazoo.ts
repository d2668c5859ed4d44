import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What an independent client sees of one node. */
export interface SeenNode {
  readonly data: string;
  /** Changes with each write of the node. */
  readonly version: number;
  /** Changes when the node is recreated. */
  readonly created: number;
}

const DUMP = `
import base64, json, sys
from kazoo.client import KazooClient
client = KazooClient(sys.argv[1]); client.start(timeout=20)
seen = {}
def read(path):
    data, stat = client.get(path)
    seen[path] = {'data': base64.b64encode(data or b'').decode(), 'version': stat.version, 'created': stat.czxid}
    for name in client.get_children(path): read(path.rstrip('/') + '/' + name)
if client.exists(sys.argv[2]): read(sys.argv[2])
print(json.dumps(seen)); client.stop()
`;

/** Reads every node from a path down with kazoo: another client, in another language. */
export async function readNodes(address: string, path: string): Promise<Map<string, SeenNode>> {
  const seen = JSON.parse(await python(DUMP, address, path)) as Record<string, SeenNode>;
  return new Map(
    Object.entries(seen).map(([name, node]) => [
      name,
      { ...node, data: Buffer.from(node.data, 'base64').toString('latin1') },
    ]),
  );
}

/** Creates or overwrites one node, as someone else would. */
export async function writeNode(address: string, path: string, data: string): Promise<void> {
  const script = `
import sys
from kazoo.client import KazooClient
client = KazooClient(sys.argv[1]); client.start(timeout=20)
client.ensure_path(sys.argv[2]); client.set(sys.argv[2], sys.argv[3].encode()); client.stop()
`;
  await python(script, address, path, data);
}

/** Removes one node, as someone else would. */
export async function removeNode(address: string, path: string): Promise<void> {
  const script = `
import sys
from kazoo.client import KazooClient
client = KazooClient(sys.argv[1]); client.start(timeout=20)
client.delete(sys.argv[2]); client.stop()
`;
  await python(script, address, path);
}

async function python(script: string, ...words: string[]): Promise<string> {
  // Debian's own interpreter: the one that python3-kazoo is installed for.
  const { stdout } = await run('/usr/bin/python3', ['-c', script, ...words], { maxBuffer: 256 << 20 });
  return stdout;
}
