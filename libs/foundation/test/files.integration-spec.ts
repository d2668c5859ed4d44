import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolders, withPlainFile } from '../src/files/index.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-files-'));
});

afterEach(async () => rm(folder, { recursive: true }));

const read = (name: string) =>
  withPlainFile(join(folder, name), ({ size }, content) => `${size}: ${content().toString()}`);

test('a file is examined and read', async () => {
  await writeFile(join(folder, 'a'), 'text');
  await writeFile(join(folder, 'empty'), '');
  expect([read('a'), read('empty')]).toEqual(['4: text', '0: ']);
});

test('a file truncated during the read is read up to its new end', async () => {
  const path = join(folder, 'a');
  await writeFile(path, 'text');
  const text = withPlainFile(path, (_found, content) => {
    execFileSync('truncate', ['--size=2', path]);
    return content().toString();
  });
  expect(text).toBe('te');
});

test('anything but a file is rejected at once: a link, a pipe, a folder, a missing path', async () => {
  await writeFile(join(folder, 'a'), 'text');
  await symlink('a', join(folder, 'link'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  await mkdir(join(folder, 'folder'));
  const refusals = { link: 'ELOOP', pipe: 'EINVAL', folder: 'EINVAL', nothing: 'ENOENT' };
  for (const [name, code] of Object.entries(refusals)) {
    expect(() => read(name)).toThrow(expect.objectContaining({ code, path: join(folder, name) }));
  }
});

test('folders are created with missing parents, in the given mode', async () => {
  const inner = join(folder, 'a', 'b');
  await makeFolders(inner, 0o700);
  await makeFolders(inner, 0o700);
  for (const path of [inner, join(folder, 'a')]) expect((await stat(path)).mode & 0o777).toBe(0o700);
  await writeFile(join(folder, 'file'), '');
  await expect(makeFolders(join(folder, 'file', 'b'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  await expect(makeFolders(join(folder, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeFolders('/proc/svc/b')).rejects.toMatchObject({ code: 'ENOENT' });
});
