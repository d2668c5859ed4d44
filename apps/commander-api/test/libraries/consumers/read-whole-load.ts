import { setTimeout as sleep } from 'node:timers/promises';
import zookeeper, { type Client, type Exception, type Stat } from 'node-zookeeper-client';

type Answer<T> = (error: Error | Exception | null, value: T, stat: Stat) => void;

/** All files of a library, by their paths in it, written by one load. */
export interface WholeLoad {
  readonly load: number;
  readonly files: ReadonlyMap<string, Buffer>;
}

/**
 * @param root the library's path, such as `/library`
 * @param least the lowest acceptable load number: a server that lags behind may still have an older load
 * @throws {Error} if no whole load can be read for a minute, or there is no manifest
 */
export async function readWholeLoad(client: Client, root: string, least = 1): Promise<WholeLoad> {
  const manifest = `/svccmd/libraries/${encodeURIComponent(root.slice(1))}/manifest`;
  for (let tries = 600; tries > 0; tries -= 1) {
    const session = client.getSessionId();
    const before = await ask<Buffer>((answer) => client.getData(manifest, answer));
    if (!before) throw new Error(`${manifest} does not exist: cannot tell whether ${root} is whole`);
    const { format, load, pending } = JSON.parse(before.value.toString());
    if (format !== 1) throw new Error(`${manifest} has an unknown format`);
    if (!pending && load >= least) {
      const files = new Map<string, Buffer>();
      const isComplete = await readFolder(client, root, '', files);
      const after = await ask<Buffer>((answer) => client.getData(manifest, answer));
      const isSame = after?.stat.mzxid.equals(before.stat.mzxid) && client.getSessionId().equals(session);
      if (isComplete && isSame) return { load, files };
    }
    await sleep(100);
  }
  throw new Error(`${root}: loads kept running for a minute`);
}

/** @returns false if a node vanished meanwhile */
async function readFolder(client: Client, root: string, path: string, files: Map<string, Buffer>) {
  const names = await ask<string[]>((answer) => client.getChildren(root + path, answer));
  const readChild = async (name: string): Promise<boolean> => {
    const child = `${path}/${name}`;
    if (!name.includes('.') || /\.(io|d)$/.test(name)) return readFolder(client, root, child, files);
    const node = await ask<Buffer | undefined>((answer) => client.getData(root + child, answer));
    if (node) files.set(child.slice(1), node.value ?? Buffer.alloc(0));
    return node !== undefined;
  };
  const visible = names?.value.filter((name) => !name.startsWith('.')) ?? [];
  return names !== undefined && (await Promise.all(visible.map(readChild))).every(Boolean);
}

/** @returns undefined if the node does not exist */
async function ask<T>(send: (answer: Answer<T>) => void): Promise<{ value: T; stat: Stat } | undefined> {
  const isMissing = (error: object) => 'code' in error && error.code === zookeeper.Exception.NO_NODE;
  return new Promise((resolve, reject) => {
    send((error, value, stat) =>
      !error ? resolve({ value, stat }) : isMissing(error) ? resolve(undefined) : reject(error),
    );
  });
}
