import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { LibraryStore } from '@svc/library-sync';
import { startZookeeper, type ZookeeperServer } from '@svc/test-servers';
import { CONFIG_KEYS } from '../../src/config/config-keys.js';
import { assembleConfig } from '../../src/config/assemble-config.js';
import { parseIni } from '../../src/config/parse-ini.js';
import { openConfiguredStore } from '../../src/libraries/open-library.js';

let zookeeper: ZookeeperServer;
let store: LibraryStore | undefined;

beforeAll(async () => {
  zookeeper = await startZookeeper();
}, 60_000);

afterAll(async () => zookeeper.stop());

afterEach(async () => store?.close());

/** @param lines of the section `destination` */
async function open(...lines: string[]): Promise<LibraryStore> {
  const ini = ['[destination]', `urls = ${zookeeper.address}`, ...lines].join('\n');
  const { config, faults } = assembleConfig(CONFIG_KEYS, [parseIni(ini, 'svccmd.conf')], '/');
  expect(faults).toEqual([]);
  return (store = await openConfiguredStore(config));
}

/** What the server says of its connections (four-letter word `cons`). */
const connections = async () => text(connect(zookeeper.port, '127.0.0.1').end('cons'));

test.each([
  ['10 s unless set', [], 10_000],
  ['as configured', ['session_timeout = 25 s'], 25_000],
])('the session that the cluster is asked for lasts %s', async (_case, lines, milliseconds) => {
  await open(...lines);
  expect(await connections()).toContain(`,to=${milliseconds},`);
});
