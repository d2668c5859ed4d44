import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { makeFolder, writeFiles } from './support/library-folder.js';
import { svccmd } from './support/svccmd.js';

let folder: string;

beforeEach(async () => {
  folder = await makeFolder();
  await writeFiles(join(folder, 'source'), { 'a.csv': '1' });
  expect(await library('load')).toMatchObject({ code: 0 });
});

afterEach(async () => rm(folder, { recursive: true }));

const library = async (...words: string[]) =>
  svccmd(['library', ...words], {
    SVCCMD_SOURCE_PATH: join(folder, 'source'),
    SVCCMD_DESTINATION_URLS: `file://${folder}/stored`,
    SVCCMD_DESTINATION_PATH: '/library',
  });
const pulled = () => join(folder, 'pulled');
const state = (name: string) => join(folder, 'stored', '.svccmd', 'library', name);

/** As while a load writes, or after it was killed. */
async function leavePending(): Promise<void> {
  const manifest = JSON.parse(await readFile(state('manifest'), 'utf8')) as object;
  const pending = { load: 2, by: 'root@host, process 1', since: '2026-01-01T00:00:00Z' };
  await writeFile(state('manifest'), JSON.stringify({ ...manifest, pending }));
}

const REMEDY = 'or pass --force to write what is there, which may be a mixture of two loads';

test('pull refuses a library whose load was interrupted or is running', async () => {
  await leavePending();
  expect(await library('pull', pulled())).toEqual({
    code: 1,
    stdout: '',
    stderr: `svccmd: load 2 was interrupted (root@host, process 1, 2026-01-01T00:00:00Z); load again or roll back first, ${REMEDY}\n`,
  });
  const holder = { id: 'x', by: 'another', since: 'now', host: hostname(), pid: process.pid };
  await writeFile(state('lock'), JSON.stringify(holder));
  expect(await library('pull', pulled())).toMatchObject({
    code: 1,
    stderr: `svccmd: a load is running (another, since now); wait for it to end, ${REMEDY}\n`,
  });
  expect(await readdir(folder)).not.toContain('pulled');
});

test('pull --force writes such a library with a warning, and reports the load', async () => {
  await leavePending();
  const { code, stdout, stderr } = await library('pull', '--force', '--json', pulled());
  expect(code).toBe(0);
  expect(stderr).toBe(
    'warning: load 2 is running or was interrupted: the folder may have parts of two loads\n',
  );
  expect(JSON.parse(stdout)).toMatchObject({ files: 1, pending: 2 });
  expect(await readdir(pulled())).toEqual(['a.csv']);
});

test('a diff names a load that has to be completed, and --exit-code fails, also if there is nothing else to do', async () => {
  expect(await library('diff', '--exit-code')).toMatchObject({ code: 0 });
  await leavePending();
  const pending = 'load 2 was interrupted or is still running; the next load completes it';
  const { code, stdout, stderr } = await library('diff', '--exit-code');
  expect({ code, stderr }).toEqual({ code: 1, stderr: `svccmd: ${pending}\n` });
  expect(stdout).toContain(`dry run: nothing was written; ${pending}`);
  expect((await library('diff', '--format', 'markdown')).stdout).toContain(`\n\n**${pending}**`);
  expect(JSON.parse((await library('diff', '--json')).stdout)).toMatchObject({
    changed: false,
    completed: 2,
  });
});
