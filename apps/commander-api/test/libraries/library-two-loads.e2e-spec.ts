import type { ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { startTcpProxy, startZookeeper, type ZookeeperServer } from '@svc/test-servers';
import { readNodes } from './support/kazoo.js';
import { makeFolder } from './support/library-folder.js';
import { startServer } from './support/server.js';
import { startSvccmd } from './support/svccmd.js';

/** Enough for several batches, so that one load can be held in their midst. */
const filesOf = (name: string) =>
  Object.fromEntries(
    Array.from({ length: 250 }, (_, index) => [
      `F${index % 7}/${index}.txt`,
      `${name} ${index} ${'x'.repeat(1_000)}`,
    ]),
  );
const ONE = filesOf('one');
const TWO = { ...filesOf('two'), 'Only/two.txt': 'two' };
const A_THIRD = 90_000;

let zookeeper: ZookeeperServer;
let one: string;
let two: string;

beforeAll(async () => {
  [zookeeper, one, two] = await Promise.all([startZookeeper(), makeFolder(ONE), makeFolder(TWO)]);
});

afterAll(async () => {
  await zookeeper.stop();
  await Promise.all([one, two].map(async (folder) => rm(folder, { recursive: true })));
});

const environment = (source: string, path: string, urls = zookeeper.address) => ({
  SVCCMD_SOURCE_PATH: source,
  SVCCMD_DESTINATION_URLS: urls,
  SVCCMD_DESTINATION_PATH: path,
  // A load is held for as long as others take to start and end.
  SVCCMD_DESTINATION_TIMEOUT: '60s',
  SVCCMD_DESTINATION_SESSION_TIMEOUT: '60s',
});

interface Load {
  readonly pid: number;
  readonly code: number;
  readonly stderr: string;
  readonly report: Readonly<Record<string, unknown>>;
}

/** A load by a process of its own. */
function start(source: string, path: string, urls?: string, ...words: string[]) {
  const child = startSvccmd(['library', 'load', '--json', ...words], environment(source, path, urls));
  return { pid: child.pid!, outcome: outcomeOf(child) };
}

async function outcomeOf(child: ChildProcess): Promise<Load> {
  const ended = new Promise<number>((resolve) => child.on('close', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout!), text(child.stderr!), ended]);
  return { pid: child.pid!, code, stderr, report: stdout ? (JSON.parse(stdout) as Load['report']) : {} };
}

async function stored(
  path: string,
): Promise<{ files: Record<string, string>; version?: string | undefined }> {
  const nodes = await readNodes(zookeeper.address, path);
  const files: Record<string, string> = {};
  for (const [name, { data }] of nodes) if (name.endsWith('.txt')) files[name.slice(path.length + 1)] = data;
  return { files, version: nodes.get(`${path}/.version.yaml`)?.data };
}

const refusedBy = (pid: number) =>
  new RegExp(
    `^another load is running: the lock is held by \\S+@\\S+, process ${pid} since \\S+Z; wait for it to end, or load with --wait$`,
  );

/** A load that is held half-way, with the lock in its hand. */
async function holdHalfWay(source: string, path: string) {
  const proxy = await startTcpProxy(zookeeper.address);
  const halfWay = proxy.sent(A_THIRD, { stall: true });
  const load = start(source, path, proxy.address);
  await halfWay;
  return {
    pid: load.pid,
    finish: async (): Promise<Load> => {
      proxy.resume();
      const outcome = await load.outcome;
      await proxy.stop();
      return outcome;
    },
  };
}

test('during a load another one fails with exit code 1 or 409, names the first, and writes nothing', async () => {
  const server = await startServer(environment(two, '/refused'));
  const first = await holdHalfWay(one, '/refused');
  const [second, answer] = await Promise.all([
    start(two, '/refused').outcome,
    server.fetch('/library/load', { method: 'PUT' }),
  ]);
  expect({ code: second.code, report: second.report }).toEqual({ code: 1, report: {} });
  expect(second.stderr).toMatch(new RegExp(`^svccmd: ${refusedBy(first.pid).source.slice(1, -1)}\n$`));
  expect(answer.status).toBe(409);
  expect(await answer.json()).toMatchObject({ detail: expect.stringMatching(refusedBy(first.pid)) });
  const { files, version } = await stored('/refused');
  expect(ONE).toMatchObject(files);
  expect(version).toBeUndefined();
  expect(await first.finish()).toMatchObject({ code: 0, report: { version: '2' } });
  expect(await stored('/refused')).toEqual({ files: ONE, version: '2' });
  await server.stop();
});

test('a process that waits loads after the first: the library is its source, the version raised once for each', async () => {
  const first = await holdHalfWay(one, '/waits');
  const second = start(two, '/waits', undefined, '--wait', '60', '--take-over');
  const third = start(two, '/waits', undefined, '--wait', '60', '--take-over');
  expect(await first.finish()).toMatchObject({ code: 0, report: { version: '2', load: 1 } });
  const waited = await Promise.all([second.outcome, third.outcome]);
  // Whichever of the two came first did the work of both.
  expect(waited.map(({ code }) => code)).toEqual([0, 0]);
  const [effective, idle] = waited.toSorted(
    (a, b) => Number(b.report['changed']) - Number(a.report['changed']),
  );
  expect(effective!.report).toMatchObject({ changed: true, updated: 250, created: 2, version: '3', load: 2 });
  expect(idle!.report).toMatchObject({ changed: false, load: 2 });
  expect(await stored('/waits')).toEqual({ files: TWO, version: '3' });
});

test('of processes that start at the same moment those that got the lock loaded, the others were refused by one of them', async () => {
  const folders = [one, two, one, two];
  const loads = await Promise.all(
    folders.map(async (folder) => start(folder, '/race', undefined, '--take-over').outcome),
  );
  const done = loads.filter(({ code }) => code === 0);
  const pids = done.map(({ pid }) => pid);
  for (const { code, stderr } of loads.filter((load) => load.code !== 0)) {
    expect(code).toBe(1);
    expect(pids).toContain(Number(/process (\d+) since/.exec(stderr)?.[1]));
  }
  const effective = done
    .filter(({ report }) => report['changed'])
    .toSorted((a, b) => Number(a.report['load']) - Number(b.report['load']));
  expect(effective.map(({ report }) => report['version'])).toEqual(
    effective.map((_, index) => `${index + 2}`),
  );
  const files = effective.at(-1)?.report['source'] === one ? ONE : TWO;
  expect(await stored('/race')).toEqual({ files, version: `${effective.length + 1}` });
});
