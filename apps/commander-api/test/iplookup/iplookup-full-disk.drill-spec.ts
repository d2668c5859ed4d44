import { readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { mayMount, mountSmallDisk, recordFigure, type SmallDisk } from '@svc/test-servers';
import { type LookupFolder, makeLookupFolder } from './lookup-folder.js';

const DECLARED = `lookups:
  many:
    layers:
      - {source: many.csv, input_ip_format: ipv4-int}
      - {source: deny.csv, input_ip_format: cidr, set: [denied=yes]}
`;

function csv(value: string): string {
  const row = (_: unknown, index: number) => `${index * 9},${index * 9 + 3},${value} ${index}\n`;
  return `ip_from,ip_to,v\n${Array.from({ length: 15_000 }, row).join('')}`;
}

(mayMount() ? describe : describe.skip)('sync (skipped where no file system may be mounted)', () => {
  let folder: LookupFolder;
  let disk: SmallDisk;
  const lookup = () => readFileSync(join(folder.lookups, 'many.mmdb'));

  beforeAll(async () => {
    folder = makeLookupFolder();
    disk = mountSmallDisk(folder.lookups, 8);
    folder.declare(DECLARED);
    folder.write('deny.csv', 'network,reason\n0.0.1.0/24,scans\n');
    folder.write('many.csv', csv('former'));
    expect((await folder.run('sync')).code).toBe(0);
  }, 300_000);

  afterAll(() => {
    disk.unmount();
  });

  function leaveRoom(bytes: number): void {
    disk.fill();
    const filler = join(folder.lookups, 'filler');
    truncateSync(filler, statSync(filler).size - bytes);
  }

  test('a disk that becomes full at any moment: the former lookup remains, and the next run completes', async () => {
    const former = lookup();
    folder.write('many.csv', csv('latter'));
    // The layer is written first, then the lookup, each about as large as the former lookup.
    const failures: string[] = [];
    for (const share of [0, 0.5, 1, 1.5, 2]) {
      leaveRoom(Math.floor(share * former.length));
      const { code, stderr } = await folder.run('sync');
      disk.makeRoom();
      if (code === 0) break;
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining('the disk is full; free some space and try again'),
      ]);
      expect(lookup().equals(former)).toBe(true);
      failures.push(/[^/]*(?= cannot be written)/.exec(stderr)![0]);
    }
    recordFigure('sync on a full disk, the former lookup stood', `${failures.length} times`);
    expect(failures).toContain('many.mmdb');
    expect((await folder.run('sync')).code).toBe(0);
    expect(lookup().includes('latter 14999')).toBe(true);
  }, 300_000);
});
