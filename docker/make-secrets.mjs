// Creates the secrets that compose.yaml mounts in the containers; keeps existing ones.
//   node docker/make-secrets.mjs [folder]
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = process.argv[2] ?? fileURLToPath(new URL('secrets', import.meta.url));
// The folder is private; its files are readable by all, because the containers run as another user.
mkdirSync(folder, { recursive: true, mode: 0o700 });

const random = () => randomBytes(32).toString('base64url');
const password = keep('postgres-password', random);
keep('database-url', () => `postgres://registry:${password}@postgres:5432/registry`);
keep('secret-pepper', random);
keep('bootstrap-token', random);
keep('commander-token', random);
keep('password-key', () => JSON.stringify({ kty: 'oct', k: random() }));
console.log(`secrets are in ${folder}`);

function keep(name, make) {
  const path = join(folder, name);
  if (!existsSync(path)) {
    writeFileSync(path, `${make()}\n`, { flag: 'wx' });
    // Whatever the umask.
    chmodSync(path, 0o644);
  }
  return readFileSync(path, 'utf8').trim();
}
