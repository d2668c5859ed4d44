import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTcpProxy, startZookeeper } from '@svc/test-servers';
import zookeeper, { type Client } from 'node-zookeeper-client';
import { readWholeLoad } from '../consumers/read-whole-load.js';
import { readNodes } from './kazoo.js';
import { makeFolder } from './library-folder.js';
import { startSvccmd, svccmd } from './svccmd.js';

const KEEP_READING = new URL('../consumers/keep_reading.py', import.meta.url).pathname;
const ROOT = '/whole (loads)';
const FILES = 260;
/** Somewhat less than a load of so many changed files sends. */
const BYTES = 330_000;
/** Makes the files large enough that most points of a load are amid its writes. */
const FILLING = ` ${'x'.repeat(1_000)}`;

export interface Reads {
  /** By either reader. */
  typescript: number;
  python: number;
  /** Reads with files of several loads, with files missing, or with more than there should be. */
  mixtures: number;
  kills: number;
  /** Mixtures seen after a kill by a client that reads without the protocol. */
  seenWithout: number;
}

/** Every file says which load it is of, so that a mixture shows by itself; which files there are differs as well. */
export function contentOf(load: number): Record<string, string> {
  const numbers = Array.from({ length: FILES }, (_, index) => index);
  const present = numbers.filter((index) => (index + load) % 10 > 0);
  return Object.fromEntries(present.map((index) => [`F${index % 7}/${index}.txt`, `of ${load}${FILLING}`]));
}

/** What one load of `contentOf` looks like, by the files alone. */
function isWhole(files: ReadonlyMap<string, string>): boolean {
  const load = Number(/^of (\d+) /.exec([...files.values()][0] ?? '')?.[1]);
  const expected = Object.entries(contentOf(load));
  return files.size === expected.length && expected.every(([path, text]) => files.get(path) === text);
}

/** Loads one content after another, killing every third load at a random point, while two readers read. */
export async function loadAndRead(loads: number, reads: number): Promise<Reads> {
  const server = await startZookeeper();
  const seen: Reads = { typescript: 0, python: 0, mixtures: 0, kills: 0, seenWithout: 0 };
  const ending = new AbortController();
  const compare = (reader: 'typescript' | 'python', files: ReadonlyMap<string, string>): void => {
    seen[reader] += 1;
    if (!isWhole(files)) seen.mixtures += 1;
  };
  await loadOnce(server.address, 1, 'to its end');
  const reading = Promise.all([
    readInTypescript(server.address, ending.signal, (files) => compare('typescript', files)),
    readInPython(server.address, ending.signal, (files) => compare('python', files)),
  ]);
  // A failure of a reader ends the loads as well.
  const isFailed = reading.then(
    () => true,
    () => true,
  );
  try {
    let load = 2;
    // A few kills may all fall before the first write, or after the last.
    const isDone = () =>
      Math.min(seen.typescript, seen.python) >= reads / 2 && (seen.seenWithout > 0 || load > 5 * loads);
    for (; load <= loads || !isDone(); load += 1) {
      await loadOnce(server.address, load, load % 3 === 0 ? 'until killed' : 'to its end');
      if (load % 3 === 0) {
        seen.kills += 1;
        if (!isWhole(await readPlainly(server.address))) seen.seenWithout += 1;
      }
      if (await Promise.race([isFailed, sleep(Math.random() * 200)])) break;
    }
    // Completes a killed one, for which the readers would wait.
    await loadOnce(server.address, load, 'to its end');
  } finally {
    ending.abort();
    await reading.finally(async () => server.stop());
  }
  return seen;
}

async function loadOnce(address: string, load: number, until: 'to its end' | 'until killed'): Promise<void> {
  const folder = await makeFolder(contentOf(load));
  const environment = (urls: string) => ({
    SVCCMD_SOURCE_PATH: folder,
    SVCCMD_DESTINATION_URLS: urls,
    SVCCMD_DESTINATION_PATH: ROOT,
    // The lock of a killed load ends with its session.
    ...(until === 'until killed' && { SVCCMD_DESTINATION_SESSION_TIMEOUT: '1s' }),
  });
  // Each load is from another folder.
  const words = ['library', 'load', '--wait', '60', '--take-over'];
  try {
    if (until === 'until killed') {
      const proxy = await startTcpProxy(address);
      const child = startSvccmd(words, environment(proxy.address));
      const ended = once(child, 'exit');
      await Promise.race([proxy.sent(Math.ceil(Math.random() * BYTES), { stall: true }), ended]);
      child.kill('SIGKILL');
      await ended;
      await proxy.stop();
    } else {
      const { code, stderr } = await svccmd(words, environment(address));
      if (code !== 0) throw new Error(`load ${load}: ${stderr}`);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

export async function connectDriver(address: string): Promise<Client> {
  const client = zookeeper.createClient(address);
  const connected = once(client, 'connected');
  client.connect();
  await connected;
  return client;
}

async function readInTypescript(
  address: string,
  signal: AbortSignal,
  onRead: (files: ReadonlyMap<string, string>) => void,
): Promise<void> {
  const client = await connectDriver(address);
  try {
    for (let least = 1; !signal.aborted; await sleep(20)) {
      const { load, files } = await readWholeLoad(client, ROOT, least);
      onRead(new Map([...files].map(([path, data]) => [path, data.toString()])));
      least = load;
    }
  } finally {
    client.close();
  }
}

async function readInPython(
  address: string,
  signal: AbortSignal,
  onRead: (files: ReadonlyMap<string, string>) => void,
): Promise<void> {
  // Debian's own interpreter: the one that python3-kazoo is installed for.
  const child = spawn('/usr/bin/python3', [KEEP_READING, address, ROOT], {
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  signal.addEventListener('abort', () => child.stdin.end());
  const ended = once(child, 'exit');
  for await (const line of createInterface(child.stdout)) {
    onRead(new Map(Object.entries(JSON.parse(line) as Record<string, string>)));
  }
  const [code] = await ended;
  if (code !== 0) throw new Error(`the reader in Python ended with ${String(code)}`);
}

async function readPlainly(address: string): Promise<Map<string, string>> {
  const nodes = [...(await readNodes(address, ROOT))].filter(([path]) => path.endsWith('.txt'));
  return new Map(nodes.map(([path, { data }]) => [path.slice(ROOT.length + 1), data]));
}
