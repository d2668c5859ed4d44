import { mkdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { openLookup } from '@svc/iplookup-core';
import { runUntilChange } from './file-changes.js';
import { EPOCH, type LookupFolder, makeLookupFolder, removeLookupFolders } from './lookup-folder.js';

afterAll(removeLookupFolders);

const DECLARED = 'lookups: {geo: {layers: [{source: base.csv, input_ip_format: cidr}]}}';

let folder: LookupFolder;

/** Writes the source as if it had been left alone for a while. */
function write(city: string, month: number): void {
  const modified = new Date(Date.UTC(2026, month));
  utimesSync(folder.write('base.csv', `network,city\n10.0.0.0/8,${city}\n`), modified, modified);
}

const city = () => openLookup(readFileSync(join(folder.lookups, 'geo.mmdb'))).find('10.0.0.1')?.['city'];
const explained = async () => (await folder.run('explain', 'geo', '10.0.0.1')).stdout;
const sync = async () => (await folder.run('sync')).stdout;
const state = () => join(folder.lookups, '.sync', 'geo.json');

beforeEach(async () => {
  folder = makeLookupFolder();
  folder.declare(DECLARED);
  write('Prague', 1);
  expect((await folder.run('sync')).code).toBe(0);
});

async function kill(moment: string, ...args: readonly string[]): Promise<void> {
  const options = { cwd: folder.path, env: { SOURCE_DATE_EPOCH: EPOCH } };
  expect((await runUntilChange(['iplookup', ...args], options, moment)).code).toBeUndefined();
}

describe('a sync that is killed', () => {
  beforeEach(() => write('Brno', 2));

  test('before its lookup is in place leaves the former one, with all that belongs to it', async () => {
    await kill('before rename geo.mmdb', 'sync');
    expect(city()).toBe('Prague');
    expect(await explained()).toContain('city: Prague  (base.csv)');
    expect((await folder.run('versions', 'geo')).stdout).toContain('has no previous version');
    expect(await sync()).toContain('built');
    expect(city()).toBe('Brno');
  });

  test('after its lookup is in place leaves the new one: it is not built again, and the former one is its version', async () => {
    await kill('after rename geo.mmdb', 'sync');
    expect(city()).toBe('Brno');
    expect(await explained()).toContain('city: Brno  (base.csv:2)');
    expect(await sync()).toBe('geo  unchanged\n');
    expect((await folder.run('rollback', 'geo')).code).toBe(0);
    expect(city()).toBe('Prague');
  });
});

test('a rollback that is killed once the version is in place is not undone by the next sync', async () => {
  write('Brno', 2);
  await sync();
  await kill('after rename geo.mmdb', 'rollback', 'geo');
  expect(city()).toBe('Prague');
  expect(await sync()).toBe('geo  unchanged\n');
  expect(city()).toBe('Prague');
});

test('a lookup and what is noted about it are replaced together or not at all', async () => {
  write('Brno', 2);
  rmSync(state());
  mkdirSync(state());
  const synced = await folder.run('sync');
  expect([synced.code, synced.stderr]).toEqual([1, expect.stringContaining(`${state()} cannot be written`)]);
  expect(city()).toBe('Prague');
});
