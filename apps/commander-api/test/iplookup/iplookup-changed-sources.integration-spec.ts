import { mkdtempSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLookup } from '@svc/iplookup-core';
import type { LookupDeclaration } from '../../src/iplookup/sync/lookup-declaration.js';
import { SyncStates } from '../../src/iplookup/sync/sync-state.js';
import { syncLookup } from '../../src/iplookup/sync/sync-lookups.js';

let folder: string;
let lookups: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svccmd-changed-'));
  lookups = join(folder, 'out');
});

afterEach(() => rmSync(folder, { recursive: true }));

const rows = (country: string) => `network,country,site\n10.0.0.0/8,${country},s\n`;

function write(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  // So long ago that its stamp is trusted.
  utimesSync(path, 1_700_000_000, 1_700_000_000);
  return path;
}

const GEO: LookupDeclaration = {
  name: 'geo',
  gzip: false,
  guards: false,
  layers: [
    {
      source: 'base.csv',
      kind: 'csv',
      merge: 'override',
      joins: [{ name: 'sites.csv', column: 'site', rowColumn: 'site', prefix: '' }],
      flags: { inputIpFormat: 'cidr' },
      terms: {},
    },
  ],
};

const sync = async (onStep: (line: string) => void = () => undefined) =>
  syncLookup(GEO, {
    folder: lookups,
    paths: { 'base.csv': join(folder, 'base.csv'), 'sites.csv': join(folder, 'sites.csv') },
    buildEpoch: 1,
    keepVersions: 0,
    signal: new AbortController().signal,
    onStep,
  });

/** Renames a file with other content over a source, whose checksum the run already has, before it is read. */
const replacing =
  (name: string, other: string) =>
  (line: string): void => {
    if (line !== 'reading base.csv') return;
    renameSync(join(folder, name), join(folder, 'former'));
    renameSync(write('new', other), join(folder, name));
  };

const record = () => openLookup(readFileSync(join(lookups, 'geo.mmdb'))).find('10.0.0.1');

test.each([
  ['base.csv', rows('DE')],
  ['sites.csv', 'site,city\ns,Brno\n'],
])('what a run reads of %s replaced meanwhile is not used by later runs', async (name, other) => {
  write('base.csv', rows('CZ'));
  write('sites.csv', 'site,city\ns,Prague\n');
  await expect(sync(replacing(name, other))).rejects.toThrow(
    `${name} changed while it was read: run the sync again`,
  );
  renameSync(join(folder, 'former'), join(folder, name));
  expect((await sync()).result).toBe('built');
  expect(record()).toEqual({ country: 'CZ', site: 's', city: 'Prague' });
});

test('nor if the layer was built before, and dropped as damaged', async () => {
  write('base.csv', rows('CZ'));
  write('sites.csv', 'site,city\ns,Prague\n');
  await sync();
  const states = new SyncStates(lookups);
  await states.dropLayers((await states.read('geo'))!.layers);
  rmSync(join(lookups, 'geo.mmdb'));
  await expect(sync(replacing('base.csv', rows('DE')))).rejects.toThrow('base.csv changed while it was read');
  renameSync(join(folder, 'former'), join(folder, 'base.csv'));
  expect((await sync()).result).toBe('built');
  expect(record()).toMatchObject({ country: 'CZ' });
});
