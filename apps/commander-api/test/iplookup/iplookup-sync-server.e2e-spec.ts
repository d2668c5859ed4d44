import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLookup } from '@svc/iplookup-core';
import { type LookupFolder, makeLookupFolder, removeLookupFolders } from './lookup-folder.js';
import { type LookupServer, startLookupServer } from './lookup-server.js';

afterAll(removeLookupFolders);

let folder: LookupFolder;
let server: LookupServer | undefined;

beforeEach(() => {
  folder = makeLookupFolder();
  mkdirSync(folder.lookups);
});
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

const LAYER = '{source: sites.csv, input_ip_format: cidr}';

function write(rows: string, modified: string): void {
  utimesSync(folder.write('sites.csv', `network,site\n${rows}`), new Date(modified), new Date(modified));
}

async function start(declarations: string): Promise<void> {
  writeFileSync(join(folder.path, 'lookups.yaml'), declarations);
  writeFileSync(
    join(folder.path, 'svccmd.conf'),
    '[iplookup]\nsource_path = in\ndestination_path = out\ndeclarations = lookups.yaml\ninterval = 200 ms\n[http]\nport = 0\naddress = 127.0.0.1\n',
  );
  server = await startLookupServer(folder);
}

const site = (lookup: string) =>
  openLookup(readFileSync(join(folder.lookups, `${lookup}.mmdb`))).find('10.0.0.1')?.['site'];

/** Waits for a metric's sample to have a value. */
async function awaitSample(sample: string, isWanted: (value: number) => boolean): Promise<number> {
  for (;;) {
    const response = await fetch(`${server!.url}/metrics`, {
      headers: { authorization: `Bearer ${server!.token}` },
    });
    const line = (await response.text()).split('\n').find((text) => text.startsWith(`${sample} `));
    const value = Number(line?.split(' ').at(-1));
    if (isWanted(value)) return value;
    await sleep(50);
  }
}

/** Waits for a text in the log. */
async function awaitLog(text: string): Promise<void> {
  while (!server!.output().includes(text)) await sleep(50);
}

const syncs = (lookup: string, result: string) =>
  `iplookup_syncs_total{lookup="${lookup}",result="${result}",service="commander-api"}`;

const failuresInARow = (lookup: string) =>
  `iplookup_sync_consecutive_failures{lookup="${lookup}",service="commander-api"}`;
const RUN_FAILED = 'iplookup_sync_run_failed{service="commander-api"}';

test('the server builds declared lookups at its start, and again when a source changes', async () => {
  write('10.0.0.0/8,Depot\n', '2026-01-01T00:00:00Z');
  await start(`lookups: {sites: {layers: [${LAYER}]}}`);
  await awaitSample(syncs('sites', 'unchanged'), (count) => count > 0);
  expect(site('sites')).toBe('Depot');
  write('10.0.0.0/8,Office\n', '2026-02-01T00:00:00Z');
  expect(await awaitSample(syncs('sites', 'built'), (count) => count > 1)).toBe(2);
  expect(site('sites')).toBe('Office');
  const modified =
    'iplookup_source_modified_timestamp_seconds{lookup="sites",source="sites.csv",service="commander-api"}';
  await awaitSample(modified, (seconds) => seconds === Date.parse('2026-02-01T00:00:00Z') / 1000);
  await awaitSample('iplookup_records{lookup="sites",service="commander-api"}', (records) => records === 1);
});

test('a broken source, and a guard, leave the former lookup; other lookups are built', async () => {
  write('10.0.0.0/8,Depot\n', '2026-01-01T00:00:00Z');
  folder.write('gone.csv', 'network,site\n10.0.0.0/8,Gone\n');
  await start(`lookups: {gone: {layers: [${LAYER.replace('sites', 'gone')}]}, sites: {layers: [${LAYER}]}}`);
  await awaitSample(syncs('sites', 'built'), (count) => count > 0);
  await awaitSample(syncs('gone', 'built'), (count) => count > 0);
  rmSync(join(folder.path, 'in', 'gone.csv'));
  write('10.0.0.0/16,Office\n', '2026-02-01T00:00:00Z');
  await awaitSample(syncs('gone', 'failed'), (count) => count > 0);
  await awaitSample(syncs('sites', 'failed'), (count) => count > 0);
  await awaitLog('lookup sync failed: the previous lookup was kept');
  expect([site('gone'), site('sites')]).toEqual(['Gone', 'Depot']);
  await awaitSample(failuresInARow('gone'), (count) => count > 1);
  folder.write('gone.csv', 'network,site\n10.0.0.0/8,Back\n');
  await awaitSample(failuresInARow('gone'), (count) => count === 0);
});

test('a lookup that fails from the start is not said to remain', async () => {
  write('10.0.0.0/8,Depot\n', '2026-01-01T00:00:00Z');
  await start(`lookups: {sites: {guards: {probe: ['10.0.0.1 site Office']}, layers: [${LAYER}]}}`);
  await awaitSample(syncs('sites', 'failed'), (count) => count > 0);
  await awaitLog('lookup sync failed: no lookup was written');
});

test('a lookup that fails remains, also if it was gzipped and is not any more', async () => {
  write('10.0.0.0/8,Depot\n', '2026-01-01T00:00:00Z');
  await start(`lookups: {sites: {gzip: true, layers: [${LAYER}]}}`);
  await awaitSample(syncs('sites', 'built'), (count) => count > 0);
  const guarded = `lookups: {sites: {guards: {probe: ['10.0.0.1 site Office']}, layers: [${LAYER}]}}`;
  writeFileSync(join(folder.path, 'lookups.yaml'), guarded);
  await awaitLog('lookup sync failed: ');
  expect(server!.output()).toContain('lookup sync failed: the previous lookup was kept');
});

test('a lookup that is no longer declared has no metrics; a broken file is reported, and tried again', async () => {
  write('10.0.0.0/8,Depot\n', '2026-01-01T00:00:00Z');
  await start(`lookups: {sites: {layers: [${LAYER}]}}`);
  await awaitSample(syncs('sites', 'built'), (count) => count > 0);
  writeFileSync(join(folder.path, 'lookups.yaml'), 'lookups: [');
  await awaitLog('declared lookups are not synced');
  await awaitLog(`${join(folder.path, 'lookups.yaml')}:1: `);
  await awaitSample(RUN_FAILED, (failed) => failed === 1);
  writeFileSync(join(folder.path, 'lookups.yaml'), `lookups: {other: {layers: [${LAYER}]}}`);
  await awaitSample(syncs('other', 'built'), (count) => count > 0);
  await awaitSample(syncs('sites', 'built'), Number.isNaN);
  await awaitSample(failuresInARow('sites'), Number.isNaN);
  await awaitSample(RUN_FAILED, (failed) => failed === 0);
  expect(site('other')).toBe('Depot');
});
