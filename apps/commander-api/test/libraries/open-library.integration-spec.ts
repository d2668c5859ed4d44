import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { LibraryStore } from '@svc/library-sync';
import { startZookeeper, type ZookeeperServer } from '@svc/test-servers';
import type { LibrarySettings } from '../../src/config/commander-config.js';
import { CONFIG_KEYS } from '../../src/config/config-keys.js';
import { assembleConfig } from '../../src/config/assemble-config.js';
import { parseIni } from '../../src/config/parse-ini.js';
import { toLoadRequest } from '../../src/libraries/library-queries.dto.js';
import { openDestination } from '../../src/libraries/open-library.js';
import { runLoad } from '../../src/libraries/run-load.js';

let zookeeper: ZookeeperServer;
let store: LibraryStore | undefined;

beforeAll(async () => {
  zookeeper = await startZookeeper();
});

afterAll(async () => zookeeper.stop());

afterEach(async () => store?.close());

/** @param lines of the section `destination`, and of those after it */
function configOf(...lines: string[]): LibrarySettings {
  const { config, errors } = assembleConfig(
    CONFIG_KEYS,
    [parseIni(['[destination]', ...lines].join('\n'), 'svccmd.conf')],
    '/',
  );
  expect(errors).toEqual([]);
  return config.libraries[0]!;
}

async function open(...lines: string[]): Promise<LibraryStore> {
  const config = configOf(`urls = ${zookeeper.address}`, ...lines);
  return (store = await (await openDestination(config)).library(config.destination.path));
}

/** The server's list of connections (four-letter word `cons`). */
const connections = async () => text(connect(zookeeper.port, '127.0.0.1').end('cons'));

test.each([
  ['10 s unless set', [], 10_000],
  ['as configured', ['session_timeout = 25 s'], 25_000],
])('the session that the cluster is asked for lasts %s', async (_case, lines, milliseconds) => {
  await open(...lines);
  expect(await connections()).toContain(`,to=${milliseconds},`);
});

test('a reply larger than configured is refused', async () => {
  const small = await open('max_reply = 2000');
  const lock = await small.lock({ id: 'loader', by: 'a test', since: 'now' }, 0);
  await small.prepare(lock);
  const data = Buffer.alloc(3_000);
  await small.apply([{ type: 'create', area: 'library', kind: 'file', path: 'a.txt', data }], lock);
  await expect(small.read('library', ['a.txt'])).rejects.toThrow(/larger than destination\.max_reply/);
});

test('a chroot that does not exist is made by a load that asks for it, alone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-chroot-'));
  await writeFile(join(folder, 'a.yaml'), 'a: 1');
  const config = configOf(`urls = ${zookeeper.address}/tenant`, '[source]', `path = ${folder}`);
  await expect(runLoad(config, toLoadRequest({}), {})).rejects.toThrow(
    /^the chroot \/tenant of destination\.urls/,
  );
  const request = toLoadRequest({ create_chroot: '' });
  expect(await runLoad(config, request, {})).toMatchObject({ created: 1 });
  await rm(folder, { recursive: true });
});
