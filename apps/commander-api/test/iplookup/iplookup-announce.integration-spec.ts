import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, startZookeeper, type ZookeeperServer } from '@svc/test-servers';
import { assembleConfig } from '../../src/config/assemble-config.js';
import type { CommanderConfig } from '../../src/config/commander-config.js';
import { CONFIG_KEYS } from '../../src/config/config-keys.js';
import { parseIni } from '../../src/config/parse-ini.js';
import type { Logger } from '../../src/http/providers.module.js';
import { announceLookups } from '../../src/iplookup/announce/announce-lookups.js';
import { AnnouncementService } from '../../src/iplookup/announce/announcement.service.js';
import { readNodes, type SeenNode, writeNode } from '../libraries/support/kazoo.js';

let zookeeper: ZookeeperServer;
let folder: string;
let root: string;
let counter = 0;

beforeAll(async () => {
  zookeeper = await startZookeeper();
});

afterAll(async () => zookeeper.stop());

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svccmd-announce-'));
  root = `/lookups-${(counter += 1)}`;
});

afterEach(() => rmSync(folder, { recursive: true }));

function configure(): CommanderConfig {
  const lines = [
    '[destination]',
    `urls = ${zookeeper.address}`,
    'path = /library',
    // Enough for a busy machine, and not too long to wait for a killed cluster.
    'timeout = 5 s',
    'session_timeout = 5 s',
    '[iplookup]',
    `destination_path = ${folder}`,
    `announce = ${root}`,
  ];
  const { config, errors } = assembleConfig(CONFIG_KEYS, [parseIni(lines.join('\n'), 'svccmd.conf')], '/');
  expect(errors).toEqual([]);
  return config;
}

const write = (name: string, content: string) => writeFileSync(join(folder, `${name}.mmdb`), content);
const announce = async () => announceLookups(configure(), new AbortController().signal);
const sha256 = (content: string) => createHash('sha256').update(content).digest('hex');

/** The announcements, as a client in another language sees them. */
async function seen(): Promise<ReadonlyMap<string, SeenNode>> {
  const nodes = await readNodes(zookeeper.address, root);
  return new Map([...nodes].map(([path, node]) => [path.slice(root.length), node]));
}
const contentOf = (node: SeenNode | undefined): unknown => JSON.parse(node!.data);

test('lookups are announced, replaced in place and withdrawn; nodes of others stay', async () => {
  await writeNode(zookeeper.address, `${root}/notes`, 'of others');
  write('geo', 'one');
  write('zones', 'zones');
  expect(await announce()).toEqual({ announced: ['geo', 'zones'], withdrawn: [] });
  const first = await seen();
  expect([...first.keys()].sort()).toEqual(['', '/geo', '/notes', '/zones']);
  expect(contentOf(first.get('/geo'))).toMatchObject({ version: 1, bytes: 3, sha256: sha256('one') });
  expect(await announce()).toEqual({ announced: [], withdrawn: [] });
  write('geo', 'another');
  rmSync(join(folder, 'zones.mmdb'));
  expect(await announce()).toEqual({ announced: ['geo'], withdrawn: ['zones'] });
  const second = await seen();
  expect([...second.keys()].sort()).toEqual(['', '/geo', '/notes']);
  expect(contentOf(second.get('/geo'))).toMatchObject({ version: 2, bytes: 7, sha256: sha256('another') });
  // Not recreated: a watch of the node's data fires once.
  expect(second.get('/geo')).toMatchObject({ version: 1, created: first.get('/geo')!.created });
  expect(second.get('/notes')).toEqual(first.get('/notes'));
});

test('announcements outlast the cluster, and a server catches up once it is back', async () => {
  const done: unknown[] = [];
  const reasons: string[] = [];
  const logger = {
    info: (entry: unknown) => done.push(entry),
    warn: ({ reason }: { reason: string }) => reasons.push(reason),
  };
  const service = new AnnouncementService(configure(), logger as unknown as Logger);
  write('geo', 'one');
  service.onApplicationBootstrap();
  try {
    await eventually(async () => expect(done).toHaveLength(1));
    const before = await seen();
    await zookeeper.kill();
    write('geo', 'another');
    await eventually(async () => expect(reasons).not.toEqual([]));
    expect(reasons[0]).toContain('ZooKeeper');
    await zookeeper.restart();
    await eventually(async () => expect(done).toHaveLength(2));
    const after = await seen();
    expect(contentOf(after.get('/geo'))).toMatchObject({ version: 2, sha256: sha256('another') });
    expect(after.get('/geo')!.created).toBe(before.get('/geo')!.created);
  } finally {
    await service.onApplicationShutdown();
  }
});
