import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './support/services.js';

const modeOf = (path: string): number => statSync(path).mode & 0o777;

test.each(['022', '077'])('with umask %s, containers can read the secrets, others cannot', (umask) => {
  const parent = mkdtempSync(join(tmpdir(), 'svc-secrets-'));
  const folder = join(parent, 'secrets');
  const script = `umask ${umask}; exec "$0" "$1" "$2"`;
  const program = join(ROOT, 'docker/make-secrets.mjs');
  execFileSync('sh', ['-c', script, process.execPath, program, folder]);
  const files = readdirSync(folder);
  expect(files).toContain('database-url');
  expect(files.filter((name) => modeOf(join(folder, name)) !== 0o644)).toEqual([]);
  expect(modeOf(folder)).toBe(0o700);
  rmSync(parent, { recursive: true });
});
