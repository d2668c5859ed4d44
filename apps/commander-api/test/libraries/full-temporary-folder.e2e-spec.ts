import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GitRepository, mayMount, mountSmallDisk, startGitServer, type GitServer } from '@svc/test-servers';
import { svccmdProcess } from './support/svccmd.js';

let repository: GitRepository;
let server: GitServer;
let folder: string;

beforeAll(async () => {
  repository = await GitRepository.create();
  await repository.commit({ 'a.yaml': `x: ${randomBytes(2 << 20).toString('base64')}\n` });
  server = await startGitServer({ root: repository.root });
  folder = await mkdtemp(join(tmpdir(), 'svc-tmp-'));
});

afterAll(async () => {
  await server.stop();
  await repository.remove();
  await rm(folder, { recursive: true });
});

const validate = async (temporary: string) =>
  svccmdProcess(['library', 'validate', `git://${server.address}/library.git`], { TMPDIR: temporary });

const expected = (temporary: string, code: string): string =>
  `cannot keep what the Git server sends in ${temporary} (${code}): make room there, or set TMPDIR to another folder`;

test('a missing folder for temporary files is named', async () => {
  const missing = join(folder, 'missing');
  const { code, stderr } = await validate(missing);
  expect(stderr).toContain(expected(missing, 'ENOENT'));
  expect(code).toBe(4);
});

(mayMount() ? test : test.skip)(
  'a full folder for temporary files is named, and nothing is left there (skipped where no file system may be mounted)',
  async () => {
    const small = join(folder, 'small');
    const disk = mountSmallDisk(small, 1);
    try {
      const { code, stderr } = await validate(small);
      expect(stderr).toContain(expected(small, 'ENOSPC'));
      expect(code).toBe(4);
      expect(readdirSync(small)).toEqual([]);
    } finally {
      disk.unmount();
    }
  },
);
