import { mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mayMount, mountSmallDisk, recordFigure, type SmallDisk } from '@svc/test-servers';
import { removeLookupFolders } from './lookup-folder.js';
import { ALLOWED, makeRemoteFolder, type RemoteFolder } from './remote-folder.js';
import { sendFile, type SourceServer, startSourceServer } from './source-server.js';

afterAll(removeLookupFolders);

const ROWS = 15_000;
const FULL = 'the disk is full; free some space and try again';

/** Rows whose lookup has about half a megabyte. */
function csv(value: string, header = 'ip_from,ip_to,v\n'): string {
  const row = (_: unknown, index: number) => `${index * 9},${index * 9 + 3},${value} ${index}\n`;
  return header + Array.from({ length: ROWS }, row).join('');
}

/** The same in the form of MaxMind's databases. */
function asns(value: string): string {
  const row = (_: unknown, index: number) =>
    `10.${index >> 8}.${index & 255}.0/24,${64_500 + index},${value} ${index}\n`;
  const header = 'network,autonomous_system_number,autonomous_system_organization\n';
  return header + Array.from({ length: ROWS }, row).join('');
}

(mayMount() ? describe : describe.skip)('a full disk (skipped where no file system may be mounted)', () => {
  let server: SourceServer;
  let folder: RemoteFolder;
  let disk: SmallDisk;

  beforeAll(async () => {
    server = await startSourceServer();
    folder = makeRemoteFolder(server);
    disk = mountSmallDisk(folder.lookups, 12);
    process.env['TMPDIR'] = folder.lookups;
    folder.declare(`lookups:
  many:
    layers:
      - {source: many.csv, input_ip_format: ipv4-int}
      - {source: deny.csv, input_ip_format: cidr, set: [denied=yes]}
  fetched: {layers: [{source: "${server.origin}/fetched.csv", input_ip_format: ipv4-int}]}
`);
    folder.configure(`${ALLOWED}manifests = yes\n`);
    folder.write('deny.csv', 'network,reason\n0.0.1.0/24,scans\n');
  }, 300_000);

  afterAll(async () => {
    delete process.env['TMPDIR'];
    disk.unmount();
    await server.stop();
  });

  const lookup = (name: string) => readFileSync(join(folder.lookups, `${name}.mmdb`));
  const filler = () => join(folder.lookups, 'filler');

  function leaveRoom(bytes: number): void {
    disk.fill();
    truncateSync(filler(), statSync(filler()).size - bytes);
  }

  const leftovers = () =>
    readdirSync(folder.lookups, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.includes('partial'),
    );

  /**
   * Runs a command with more and more room, until it succeeds. Each time it fails, the former lookup is
   * in place with its manifest and versions, and nothing is left.
   *
   * @returns what could not be written, by its name
   */
  async function fillUp(name: string, ...args: string[]): Promise<string[]> {
    const former = lookup(name);
    const versions = async () => (await folder.run('versions', name)).stdout;
    const before = await versions();
    const unwritten: string[] = [];
    for (let share = 0; ; share += 0.5) {
      leaveRoom(Math.floor((share * former.length) / 4096) * 4096);
      const { code, stderr } = await folder.run(...args);
      disk.makeRoom();
      if (code === 0) break;
      expect({ args, share, code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(FULL) });
      unwritten.push(/\/([^/\s]+) cannot be written/.exec(stderr)![1]!);
      expect(lookup(name).equals(former)).toBe(true);
      expect([await versions(), leftovers()]).toEqual([before, []]);
    }
    expect(lookup(name).equals(former)).toBe(false);
    expect((await folder.run('verify', join(folder.lookups, `${name}.mmdb`))).code).toBe(0);
    recordFigure(
      `${args[0]} of ${name} on a full disk, the former lookup stood`,
      `${unwritten.length} times`,
    );
    return [...new Set(unwritten)];
  }

  const ASN = 'GeoLite2-ASN-CSV_20260101';
  const maxmind = (value: string) => ({ 'GeoLite2-ASN-Blocks-IPv4.csv': asns(value) });

  test.each<[command: string, name: string, publish: (value: string) => void, words: string]>([
    [
      'from-csv',
      'rows',
      (value) => void folder.write('rows.csv', csv(value)),
      'from-csv rows.csv -i ipv4-int',
    ],
    [
      'from-vendor',
      'IP2LOCATION-LITE-DB1',
      (value) => void folder.write('IP2LOCATION-LITE-DB1.CSV', csv(value, '').replaceAll('\n', ',Utopia\n')),
      'from-vendor IP2LOCATION-LITE-DB1.CSV',
    ],
    [
      'from-maxmind of an archive',
      'GeoLite2-ASN',
      (value) => folder.writeZip(`${ASN}.zip`, maxmind(value)),
      `from-maxmind ${ASN}.zip`,
    ],
    [
      'from-maxmind of a folder',
      'folder',
      (value) => {
        mkdirSync(join(folder.path, ASN), { recursive: true });
        for (const [file, text] of Object.entries(maxmind(value)))
          writeFileSync(join(folder.path, ASN, file), text);
      },
      `from-maxmind ./${ASN} -o folder`,
    ],
    ['sync', 'many', (value) => void folder.write('many.csv', csv(value)), 'sync many'],
    [
      'sync of a URL',
      'fetched',
      (value) => void (server.answers['/fetched.csv'] = sendFile(csv(value))),
      'sync fetched',
    ],
  ])(
    '%s: the previous lookup is kept, and the next run completes',
    async (_case, name, publish, words) => {
      const args = words.split(' ');
      publish('former');
      expect((await folder.run(...args)).code).toBe(0);
      publish('latter');
      const unwritten = await fillUp(name, ...args);
      expect(unwritten).toContain(`${name}.mmdb`);
      if (name === 'fetched') expect(unwritten).toContain('fetched.csv');
      // A rollback needs no room for the lookup.
      leaveRoom(0);
      const { code, stderr } = await folder.run('rollback', name);
      disk.makeRoom();
      expect({ code, stderr }).toEqual(
        code === 0 ? { code: 0, stderr: '' } : { code: 1, stderr: expect.stringContaining(FULL) },
      );
      expect(lookup(name).includes(code === 0 ? 'former 14999' : 'latter 14999')).toBe(true);
      if (code !== 0) expect((await folder.run('rollback', name)).code).toBe(0);
      expect(lookup(name).includes('former 14999')).toBe(true);
    },
    600_000,
  );

  test.each([
    ['versions', 3, 'from-csv rows.csv -i ipv4-int', 'rows.mmdb'],
    ['layers', 2, 'sync many', 'layers'],
  ])('no room for the folder of %s: the same message', async (_case, inodes, words, unwritten) => {
    const crowded = makeRemoteFolder(server);
    const small = mountSmallDisk(crowded.lookups, 1, inodes);
    try {
      crowded.declare('lookups: {many: {layers: [{source: rows.csv, input_ip_format: ipv4-int}]}}');
      crowded.write('rows.csv', 'ip_from,ip_to,v\n0,3,x\n');
      let ended = await crowded.run(...words.split(' '));
      // The first lookup has no former version.
      if (ended.code === 0) ended = await crowded.run(...words.split(' '));
      expect([ended.code, ended.stderr]).toEqual([
        1,
        expect.stringContaining(`${unwritten} cannot be written: ${FULL}`),
      ]);
    } finally {
      small.unmount();
    }
  });
});
