import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  EPOCH,
  expectUntouched,
  type LookupFolder,
  makeFormerLookups,
  removeLookupFolders,
} from './lookup-folder.js';

afterAll(removeLookupFolders);

const SVCCMD = new URL('../../bin/svccmd.js', import.meta.url).pathname;
const CSV = 'ip_from,ip_to,v\n1.0.0.0,1.0.0.1,x\n';
const BUILD = ['from-csv', 'input.csv', '-i', 'ipv4'];

/** Root has all permissions, so for root these tests run svccmd as user nobody. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

let folder: LookupFolder;

function run(args: readonly string[]): { code: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SVCCMD, 'iplookup', ...args], {
    ...NOBODY,
    cwd: folder.path,
    env: { SOURCE_DATE_EPOCH: EPOCH },
    encoding: 'utf8',
  });
  return { code: status, stdout, stderr };
}

const failed = (message: string) => ({ code: 1, stdout: '', stderr: `svccmd: ${message}\n` });

beforeEach(() => {
  folder = makeFormerLookups();
  chmodSync(folder.path, 0o755);
  folder.write('input.csv', CSV);
});

const mayRun = spawnSync(process.execPath, [SVCCMD, '--version'], { ...NOBODY, cwd: '/' }).status === 0;

(mayRun ? describe : describe.skip)(
  'without permission (skipped if the checkout is unreadable for other users)',
  () => {
    afterEach(() => {
      chmodSync(folder.lookups, 0o755);
      expectUntouched(folder);
    });

    test('an unreadable input', () => {
      chmodSync(join(folder.path, 'in', 'input.csv'), 0);
      expect(run(BUILD)).toEqual(
        failed(`${join(folder.path, 'in', 'input.csv')} cannot be read (permission denied)`),
      );
    });

    test.each([[[]], [['--gzip']]])('a folder of lookups that may not be written: %j', (options) => {
      chmodSync(folder.lookups, 0o555);
      const file = join(folder.lookups, `input.mmdb${options.length > 0 ? '.gz' : ''}`);
      expect(run([...BUILD, ...options])).toEqual(failed(`${file} cannot be written: permission denied`));
    });

    test('a lookup folder that cannot be created', () => {
      chmodSync(folder.path, 0o555);
      writeFileSync(
        join(folder.path, 'in', 'other.conf'),
        `[iplookup]\nsource_path = .\ndestination_path = ${folder.path}/new/lookups\n`,
      );
      const ended = spawnSync(process.execPath, [SVCCMD, '-c', 'in/other.conf', 'iplookup', ...BUILD], {
        ...NOBODY,
        cwd: folder.path,
        encoding: 'utf8',
      });
      const message = `${folder.path}/new/lookups/input.mmdb cannot be written: permission denied`;
      expect([ended.status, ended.stderr]).toEqual([1, `svccmd: ${message}\n`]);
      chmodSync(folder.path, 0o755);
    });

    test.each(['show', 'dump', 'verify', 'inspect'])('%s of a lookup that may not be read', (command) => {
      const lookup = join(folder.path, 'secret.mmdb');
      writeFileSync(lookup, '', { mode: 0 });
      const address = command === 'show' ? ['1.0.0.0'] : [];
      expect(run([command, lookup, ...address])).toEqual(
        failed(`${lookup} cannot be read (permission denied)`),
      );
    });
  },
);

/** A read-only file system for the lookups, where this process may mount one. */
const mayMount = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

(mayMount ? test : test.skip)('a read-only file system (skipped where none may be mounted)', async () => {
  const lookups = join(folder.path, 'read-only');
  mkdirSync(lookups);
  writeFileSync(
    join(folder.path, 'svccmd.conf'),
    '[iplookup]\nsource_path = in\ndestination_path = read-only\n',
  );
  expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro,size=1m', 'none', lookups]).status).toBe(0);
  try {
    const message = `${join(lookups, 'input.mmdb')} cannot be written: the file system is read-only`;
    expect(await folder.run(...BUILD)).toEqual(failed(message));
  } finally {
    spawnSync('umount', [lookups]);
    // Only an empty folder can be removed so.
    rmdirSync(lookups);
  }
  expectUntouched(folder);
});
