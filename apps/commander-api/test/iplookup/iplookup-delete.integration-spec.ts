import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInProcess } from '../shell/run-in-process.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svccmd-delete-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

const write = (...names: string[]) => names.forEach((name) => writeFileSync(join(folder, name), ''));
const remove = async (...names: string[]) =>
  runInProcess(['iplookup', 'delete', ...names], { env: { SVCCMD_IPLOOKUP_DESTINATION_PATH: folder } });

test('delete reports the files that it deleted, and fails if former versions cannot be deleted', async () => {
  // Where the folder of versions should be.
  write('a.mmdb', 'a.mmdb.gz', 'b.mmdb', '.history');
  const failure = (file: string) => `svccmd: former versions of ${file} cannot be deleted: ENOTDIR\n`;
  expect(await remove('a.mmdb', 'a', 'a.mmdb')).toEqual({
    code: 1,
    stdout: 'deleted a.mmdb\ndeleted a.mmdb.gz\n',
    stderr: ['a.mmdb', 'a.mmdb.gz'].map(failure).join(''),
  });
  expect(readdirSync(folder)).toEqual(['.history', 'b.mmdb']);
});
