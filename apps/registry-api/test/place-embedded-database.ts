import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Puts an empty embedded database into a data folder that has none, as if a registry had just made it: that takes some
 * seconds of processor time. Does nothing outside of a run of tests.
 */
export async function placeEmbeddedDatabase(dataDir: string): Promise<void> {
  const template = process.env['EMBEDDED_DATABASE_TEMPLATE'];
  const folder = join(dataDir, 'embedded-database', 'data');
  if (template !== undefined && !existsSync(folder)) await cp(template, folder, { recursive: true });
}
