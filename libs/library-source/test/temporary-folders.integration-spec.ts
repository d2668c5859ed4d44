import { jest } from '@jest/globals';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { withTemporaryFolder } from '../src/git/temporary-folders.js';

/** Above Linux's maximum process id. */
const DEAD = 2 ** 22 + 1;
const NAME = `${hostname()}-${DEAD}-abcdef`;

let folder: string;
let parent: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-temporary-'));
  parent = join(folder, `svccmd-git-${userInfo().uid}`);
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

const within = async (use: (path: string) => Promise<void>) => withTemporaryFolder(use, folder);
const makeParent = async () => mkdir(parent, { mode: 0o700 });
const makeLeftover = async (path: string) => {
  await mkdir(path);
  await writeFile(join(path, 'pack'), 'PACK');
};

test('a folder and its parent are private, and both are removed afterwards', async () => {
  await within(async (path) => {
    expect(path.startsWith(`${parent}/`)).toBe(true);
    for (const one of [path, parent]) expect((await stat(one)).mode & 0o777).toBe(0o700);
  });
  expect(await readdir(folder)).toEqual([]);
  await expect(within(async () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await readdir(folder)).toEqual([]);
});

test('concurrent folders do not remove each other’s parent', async () => {
  const use = async (path: string) => writeFile(join(path, 'pack'), 'PACK');
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(Array.from({ length: 10 }, async () => within(use)));
  }
  expect(await readdir(folder)).toEqual([]);
});

test('leftovers of killed processes and old ones are removed; those of running processes and other hosts are kept', async () => {
  await makeParent();
  const mine = `${hostname()}-${process.pid}-abcdef`;
  const old = `${hostname()}-${process.pid}-fedcba`;
  const elsewhere = `elsewhere-${DEAD}-abcdef`;
  for (const name of [NAME, mine, old, elsewhere]) await makeLeftover(join(parent, name));
  const twoHoursAgo = new Date(Date.now() - 2 * 3_600_000);
  await utimes(join(parent, old), twoHoursAgo, twoHoursAgo);
  await within(async () => undefined);
  expect((await readdir(parent)).sort()).toEqual([elsewhere, mine].sort());
});

test('folders of other users are left alone, and links are not followed', async () => {
  const others = join(folder, `svccmd-git-${DEAD}-abcdef`);
  await makeLeftover(others);
  await makeParent();
  await symlink(others, join(parent, NAME));
  await within(async () => undefined);
  expect(await readdir(others)).toEqual(['pack']);
});

test.each([
  ['is a link', async (victim: string) => symlink(victim, parent)],
  [
    'may be entered by others',
    async () => {
      await makeParent();
      await chmod(parent, 0o755);
    },
  ],
  ['is a file', async () => writeFile(parent, '')],
])('a parent that %s is not used, and nothing in it is removed', async (_case, make) => {
  const victim = join(folder, 'victim');
  await mkdir(victim, { mode: 0o700 });
  await makeLeftover(join(victim, NAME));
  await make(victim);
  await within(async (path) => {
    expect(path).toMatch(/\/svccmd-git-\w{6}$/);
    expect((await stat(path)).mode & 0o777).toBe(0o700);
  });
  expect(await readdir(victim)).toEqual([NAME]);
});

test('another user’s parent folder is not used, and nothing in it is removed', async () => {
  const uid = userInfo().uid + 1;
  parent = join(folder, `svccmd-git-${uid}`);
  await makeParent();
  await makeLeftover(join(parent, NAME));
  // As seen by another user.
  jest.spyOn(process, 'getuid').mockReturnValue(uid);
  await within(async (path) => expect(path.startsWith(parent)).toBe(false));
  expect(await readdir(parent)).toEqual([NAME]);
});
