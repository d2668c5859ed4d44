import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Job } from 'kubernetes-types/batch/v1.js';
import { parseEnv } from 'node:util';
import { SharedPostgres } from '@svc/test-servers';
import { parse } from 'yaml';
import { readPage } from './support/documented-tables.js';
import { ROOT } from './support/services.js';

const SECRETS = '/run/secrets/svc';

const postgres = new SharedPostgres();
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-migration-job-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await postgres.dropDatabases();
});

/** What the image sets for every process. */
function imageEnvironment(): Record<string, string> {
  const lines = [...readPage('docker/registry-api.Dockerfile').matchAll(/^ENV (.*)$/gm)];
  return parseEnv(lines.map(([, pairs]) => pairs!.replaceAll(' ', '\n')).join('\n')) as Record<
    string,
    string
  >;
}

test('the Job migrates with the settings it has in a pod', async () => {
  const job = parse(readPage('deploy/kubernetes/components/migration-job/job.yaml')) as Job;
  const { args, env = [], volumeMounts } = job.spec!.template.spec!.containers[0]!;
  expect(volumeMounts).toEqual([{ name: 'secrets', mountPath: SECRETS, readOnly: true }]);
  writeFileSync(join(folder, 'database-url'), await postgres.createDatabase());
  const own = env.map(({ name, value }) => [name, String(value).replace(SECRETS, folder)]);

  const image = imageEnvironment();
  expect(image).toMatchObject({ NODE_ENV: 'production', DATA_DIR: '/data' });
  const { status, stdout, stderr } = spawnSync(process.execPath, args!.slice(1), {
    cwd: ROOT,
    encoding: 'utf8',
    // The Job has no data folder.
    env: { PATH: process.env['PATH'], ...image, DATA_DIR: '/dev/null/data', ...Object.fromEntries(own) },
  });
  expect({ args: args![0], status, stderr }).toEqual({ args: 'node', status: 0, stderr: '' });
  expect(stdout).toContain('CreateRegistry');
});
