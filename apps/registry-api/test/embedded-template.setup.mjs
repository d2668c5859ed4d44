// Makes an empty embedded database once for a whole run of tests: each suite starts on a copy, which takes a second
// where making one takes six.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';

export default async function makeEmbeddedTemplate() {
  const folder = await mkdtemp(join(tmpdir(), 'embedded-template-'));
  const db = await PGlite.create(folder);
  await db.close();
  process.env.EMBEDDED_DATABASE_TEMPLATE = folder;
  globalThis.removeEmbeddedTemplate = () => rm(folder, { recursive: true });
}
