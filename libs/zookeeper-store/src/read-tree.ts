import type { StoredNode } from '@svc/library-sync';
import type { ZookeeperClient } from './zookeeper-client.js';

/** A name with a dot is most likely a file's: only a guess at which request will be the one that is needed. */
const LOOKS_LIKE_FILE = /\.(?!(io|d)$)[^.]*$/;

const NOTHING = new Uint8Array();

/** Reads every node below a root, parents first, without those whose name starts with a dot. */
export async function readTree(
  client: ZookeeperClient,
  root: string,
  visit: (node: StoredNode) => void,
): Promise<void> {
  const readBelow = async (parent: string, names: readonly string[]): Promise<void> => {
    const paths = names
      .filter((name) => !name.startsWith('.'))
      .map((name) => (parent ? `${parent}/${name}` : name));
    await Promise.all(paths.map(readNode));
  };
  const readNode = async (path: string): Promise<void> => {
    const node = await readParts(client, `${root}/${path}`, LOOKS_LIKE_FILE.test(path));
    if (!node) return;
    const { names, data, version } = node;
    const kind =
      names.length > 0 ? (data.length > 0 ? 'both' : 'folder') : data.length > 0 ? 'file' : 'empty';
    const hidesOthers = names.some((name) => name.startsWith('.'));
    visit({ area: 'library', path, data, version, kind, hidesOthers });
    await readBelow(path, names);
  };
  await readBelow('', (await client.getChildren(root))?.names ?? []);
}

/** Data and children of a node, in as few requests as the node allows; undefined when it is gone. */
async function readParts(
  client: ZookeeperClient,
  path: string,
  dataFirst: boolean,
): Promise<{ data: Uint8Array; names: readonly string[]; version: number } | undefined> {
  if (dataFirst) {
    const node = await client.getData(path);
    if (!node) return undefined;
    const names = node.childCount > 0 ? ((await client.getChildren(path))?.names ?? []) : [];
    return { ...node, names };
  }
  const children = await client.getChildren(path);
  if (!children) return undefined;
  const { names, version } = children;
  if (children.dataLength === 0) return { data: NOTHING, names, version };
  const node = await client.getData(path);
  return node && { ...node, names };
}
