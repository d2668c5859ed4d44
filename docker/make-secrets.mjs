// Makes the secrets that compose.yaml hands to the containers as files; keeps those that are there.
//   node docker/make-secrets.mjs
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('secrets/', import.meta.url));
// The folder keeps others out; the files are readable because a container's user is not yours.
mkdirSync(folder, { recursive: true, mode: 0o700 });

const password = keep('postgres-password', () => randomBytes(24).toString('base64url'));
keep('database-url', () => `postgres://registry:${password}@postgres:5432/registry`);
keep('secret-pepper', () => randomBytes(32).toString('base64url'));
keep('commander-token', () => randomBytes(32).toString('base64url'));
console.log(`secrets are in ${folder}`);

function keep(name, make) {
  const path = `${folder}${name}`;
  if (!existsSync(path)) writeFileSync(path, `${make()}\n`, { mode: 0o644, flag: 'wx' });
  return readFileSync(path, 'utf8').trim();
}
