import { readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LookupFolder, makeLookupFolder, removeLookupFolders } from './lookup-folder.js';
import { type LookupServer, problem, startLookupServer } from './lookup-server.js';

afterAll(removeLookupFolders);

const BUILD = ['from-csv', 'sites.csv', '-i', 'ipv4'];

let folder: LookupFolder;

/** Builds the lookup with one row. */
async function build(site: string, ...options: string[]): Promise<void> {
  folder.write('sites.csv', `ip_from,ip_to,site\n10.0.0.0,10.0.0.255,${site}\n`);
  expect((await folder.run(...BUILD, ...options)).code).toBe(0);
}

const siteOf = async (lookup = 'sites') => {
  const { stdout } = await folder.run('show', lookup, '10.0.0.1', '--json');
  return (JSON.parse(stdout) as { record: { site: string } }[])[0]?.record.site;
};

function configure(keepVersions: string): void {
  const lines = `[iplookup]\nsource_path = in\ndestination_path = out\nkeep_versions = ${keepVersions}\n`;
  writeFileSync(join(folder.path, 'svccmd.conf'), lines);
}

beforeEach(async () => {
  folder = makeLookupFolder();
});

test('one version is kept by default, and a rollback restores it', async () => {
  for (const site of ['first', 'second', 'third']) await build(site);
  const { stdout } = await folder.run('versions', 'sites', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ file: 'sites.mmdb', versions: [{ version: 2 }] });
  const { code, stdout: text } = await folder.run('rollback', 'sites');
  expect(code).toBe(0);
  expect(text).toMatch(
    /^sites\.mmdb: restored version 2, written \S+Z, \d+ bytes; the one before is version 3\n$/,
  );
  expect(await siteOf()).toBe('second');
  await folder.run('rollback', 'sites.mmdb');
  expect(await siteOf()).toBe('third');
});

test('as many are kept as configured, and any of them can be restored', async () => {
  configure('3');
  for (const site of ['first', 'second', 'third', 'fourth', 'fifth']) await build(site);
  const { stdout } = await folder.run('versions', 'sites');
  expect(stdout.match(/version \d/g)).toEqual(['version 4', 'version 3', 'version 2']);
  expect((await folder.run('rollback', 'sites', '--to', '2')).code).toBe(0);
  expect(await siteOf()).toBe('second');
  expect(await folder.run('rollback', 'sites', '--to', '2')).toMatchObject({
    code: 1,
    stderr: 'svccmd: there is no version 2 of sites.mmdb\n',
  });
});

test('none is kept if so configured', async () => {
  configure('0');
  await build('first');
  await build('second');
  expect(readdirSync(folder.lookups)).toEqual(['sites.mmdb']);
  expect((await folder.run('versions', 'sites')).stdout).toBe('sites.mmdb has no previous version\n');
  expect(await folder.run('rollback', 'sites')).toMatchObject({
    code: 1,
    stderr: 'svccmd: there is no previous version of sites.mmdb\n',
  });
});

test('a restored lookup is the one that readers get, also beside another form', async () => {
  await build('first');
  await build('second');
  await build('gzipped', '--gzip');
  expect(await siteOf()).toBe('gzipped');
  await folder.run('rollback', 'sites.mmdb');
  expect(await siteOf()).toBe('first');
});

test('versions are not lookups: they are not listed, and go with the lookup', async () => {
  await build('first');
  await build('second');
  expect(readdirSync(folder.lookups).filter((name) => name.endsWith('.mmdb'))).toEqual(['sites.mmdb']);
  expect((await folder.run('delete', 'sites')).code).toBe(0);
  expect(readdirSync(folder.lookups)).toEqual([]);
  expect(await folder.run('rollback', 'sites')).toMatchObject({
    code: 1,
    stderr: 'svccmd: there is no lookup "sites"\n',
  });
});

test('versions of a lookup whose file is gone can be deleted', async () => {
  await build('first');
  await build('second');
  rmSync(join(folder.lookups, 'sites.mmdb'));
  expect((await folder.run('delete', 'sites')).code).toBe(0);
  expect(readdirSync(folder.lookups)).toEqual([]);
  expect((await folder.run('delete', 'sites')).code).toBe(1);
});

test.each(['../sites', '.history', 'in/sites'])('%s is not a name', async (name) => {
  for (const command of ['rollback', 'versions'])
    expect((await folder.run(command, name)).stderr).toContain('is not a plain file name');
});

test.each(['0', 'x', '1.5', '-1'])('--to %s is refused', async (number) => {
  expect((await folder.run('rollback', 'sites', `--to=${number}`)).code).toBe(2);
});

test('sync does not undo a rollback until something changes', async () => {
  configure('1\ndeclarations = lookups.yaml');
  writeFileSync(
    join(folder.path, 'lookups.yaml'),
    'lookups: {sites: {guards: false, layers: [{source: base.csv, input_ip_format: cidr}]}}\n',
  );
  const sync = async (site: string) => {
    const path = folder.write('base.csv', `network,site\n10.0.0.0/24,${site}\n`);
    utimesSync(path, 1_700_000_000, 1_700_000_000 + site.length);
    const { stdout } = await folder.run('sync', '--json');
    return (JSON.parse(stdout) as { lookups: { result: string }[] }).lookups[0]?.result;
  };
  expect([await sync('first'), await sync('second')]).toEqual(['built', 'built']);
  expect((await folder.run('rollback', 'sites')).code).toBe(0);
  expect([await sync('second'), await siteOf()]).toEqual(['unchanged', 'first']);
  expect([await sync('changed'), await siteOf()]).toEqual(['built', 'changed']);
});

describe('over HTTP', () => {
  let server: LookupServer;

  beforeEach(async () => {
    await build('first');
    await build('second');
    server = await startLookupServer(folder);
  });
  afterEach(async () => {
    expect(await server.stop()).toBe(0);
  });

  const rollback = (path = '') => server.send(`/sites/rollback${path}`, { method: 'POST' });

  test('versions are listed and restored, and the answers of the server change', async () => {
    const siteByHttp = async () => {
      const { record } = (await (await server.send('/sites/10.0.0.1')).json()) as {
        record: { site: string };
      };
      return record.site;
    };
    expect(await siteByHttp()).toBe('second');
    const etag = (await server.send('/sites', { method: 'HEAD' })).headers.get('etag');
    const list = await (await server.send('/sites/versions')).json();
    expect(list).toMatchObject({ file: 'sites.mmdb', versions: [{ version: 1 }] });
    expect((await rollback()).status).toBe(200);
    expect(await siteByHttp()).toBe('first');
    expect((await server.send('/sites', { method: 'HEAD' })).headers.get('etag')).not.toBe(etag);
    expect(await (await rollback('?to=2')).json()).toMatchObject({
      file: 'sites.mmdb',
      version: 2,
      replaced: 3,
    });
    expect(await siteByHttp()).toBe('second');
    const { lookups } = (await (await server.send('')).json()) as { lookups: object[] };
    expect(lookups).toHaveLength(1);
  });

  test('refusals', async () => {
    expect(await problem(rollback('?to=9'))).toEqual([404, 'There is no version 9 of sites.mmdb.']);
    expect((await rollback('?to=0')).status).toBe(400);
    expect((await rollback('?other')).status).toBe(400);
    expect((await server.post('/sites/rollback', { to: 1 })).status).toBe(400);
    expect((await server.send('/none/rollback', { method: 'POST' })).status).toBe(404);
    expect((await server.send('/none/versions')).status).toBe(404);
    expect((await server.send('/.history/versions')).status).toBe(400);
    expect(await siteOf()).toBe('second');
  });

  test('a rollback waits for the build in progress, and neither is lost', async () => {
    const rows = Array.from({ length: 100_000 }, (_, index) => `${index * 9},${index * 9 + 3},x\n`);
    folder.write('many.csv', `ip_from,ip_to,site\n${rows.join('')}`);
    const building = server.post('/from-csv', {
      file_name: 'many.csv',
      lookup_name: 'sites',
      input_ip_format: 'ipv4-int',
    });
    let isBuilt = false;
    void building.finally(() => (isBuilt = true));
    while (!isBuilt && !readdirSync(folder.lookups).some((name) => name.endsWith('.partial')))
      await new Promise((resolve) => setTimeout(resolve, 5));
    const rolled = await rollback();
    expect([(await building).status, rolled.status]).toEqual([200, 200]);
    const { versions } = (await (await server.send('/sites/versions')).json()) as { versions: object[] };
    // The build replaced the second lookup, and the rollback the build's.
    expect([await siteOf(), versions.length]).toEqual(['second', 1]);
  });
});
