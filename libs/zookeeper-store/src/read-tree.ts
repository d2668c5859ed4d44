import type { StoredNode } from '@svc/library-sync';
import type { NodeData, ReadResult, ZookeeperClient } from './zookeeper-client.js';
import { NO_AUTH, ZookeeperError } from './session/zookeeper-error.js';

/** Nodes per request. More is hardly faster, and the server holds the whole reply in its heap, up to 1 MB per node. */
const NODES_AT_ONCE = 16;
const REQUESTS_IN_FLIGHT = 4;

/**
 * Reads every node below a root, parents first, skipping names that start with a dot.
 *
 * @param visit called with each node, whose data changes after the call
 */
export async function readTree(
  client: ZookeeperClient,
  root: string,
  visit: (node: StoredNode) => void,
): Promise<void> {
  // The first multi-read goes alone: a server without support for it closes the connection, losing every other
  // request in flight.
  const [names] = await client.getChildrenOfAll([root]);
  if (names === 'no-auth') throw new ZookeeperError('getChildren', root, NO_AUTH);
  let level = visiblePaths('', names ?? []);
  while (level.length > 0) level = await readLevel(client, root, level, visit);
}

/** @returns the paths one level below */
async function readLevel(
  client: ZookeeperClient,
  root: string,
  paths: readonly string[],
  visit: (node: StoredNode) => void,
): Promise<string[]> {
  const below: string[][] = [];
  let next = 0;
  const readOn = async (): Promise<void> => {
    while (next < paths.length) {
      const chunk = paths.slice(next, (next += NODES_AT_ONCE));
      const found = await client.getDataOfAll(chunk.map((path) => `${root}/${path}`));
      for (const node of await withNames(client, root, chunk, found)) {
        visit(node.stored);
        below.push(visiblePaths(node.stored.path, node.names));
      }
      client.release(found);
    }
  };
  await Promise.all(Array.from({ length: REQUESTS_IN_FLIGHT }, readOn));
  return below.flat();
}

/** Nodes deleted meanwhile are left out; for unreadable ones only the `Stat` is known. */
async function withNames(
  client: ZookeeperClient,
  root: string,
  paths: readonly string[],
  found: readonly ReadResult<NodeData>[],
): Promise<{ stored: StoredNode; names: readonly string[] }[]> {
  const parents = paths.filter((_, index) => isParent(found[index]));
  const names = await client.getChildrenOfAll(parents.map((path) => `${root}/${path}`));
  const namesBelow = new Map(parents.map((path, index) => [path, names[index] ?? []]));
  const read = paths.map(async (path, index) => {
    const [node, below = []] = [found[index], namesBelow.get(path)];
    if (node === 'no-auth' || below === 'no-auth') return readUnreadable(client, root, path);
    return node && toStored(path, node, below);
  });
  return (await Promise.all(read)).filter((node) => node !== undefined);
}

const isParent = (node: ReadResult<NodeData>): boolean =>
  node !== undefined && node !== 'no-auth' && node.childCount > 0;

async function readUnreadable(
  client: ZookeeperClient,
  root: string,
  path: string,
): Promise<{ stored: StoredNode; names: readonly string[] } | undefined> {
  const stat = await client.getStat(`${root}/${path}`);
  if (!stat) return undefined;
  const { version, childCount } = stat;
  const data = new Uint8Array();
  const stored = {
    area: 'library',
    path,
    data,
    version,
    kind: 'unreadable',
    hidesOthers: childCount > 0,
  } as const;
  return { stored, names: [] };
}

function toStored(
  path: string,
  { data, version, isEphemeral }: NodeData,
  names: readonly string[],
): { stored: StoredNode; names: readonly string[] } {
  const kind = kindOf(data.length > 0, names.length > 0);
  const hidesOthers = names.some((name) => name.startsWith('.'));
  const stored = { area: 'library', path, data, version, kind, hidesOthers } as const;
  return { stored: isEphemeral ? { ...stored, isTemporary: true } : stored, names };
}

function kindOf(hasData: boolean, hasChildren: boolean): StoredNode['kind'] {
  if (hasData) return hasChildren ? 'both' : 'file';
  return hasChildren ? 'folder' : 'empty';
}

function visiblePaths(parent: string, names: readonly string[]): string[] {
  const visible = names.filter((name) => !name.startsWith('.'));
  return parent ? visible.map((name) => `${parent}/${name}`) : visible;
}
