import { realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { Problem } from '@svc/service-kit';
import type { CommanderConfig } from '../config/commander-config.js';

/**
 * The input file that a request names: one in the folder of input files, by a name without folder, and not a link that
 * leads elsewhere.
 *
 * @throws {Problem}
 */
export async function sourceFile(config: CommanderConfig, name: string): Promise<string> {
  const folder = config.iplookup.source_path;
  if (folder === undefined)
    throw new Problem({ status: 503, detail: 'iplookup.source_path is not configured.' });
  assertBareName(name);
  const path = join(folder, name);
  const [real, root] = await Promise.all([
    realpath(path).catch(() => undefined),
    realpath(folder).catch(() => undefined),
  ]);
  if (real === undefined || root === undefined) {
    throw new Problem({ status: 404, detail: `There is no input file ${JSON.stringify(name)}.` });
  }
  if (!real.startsWith(root.endsWith(sep) ? root : root + sep)) {
    throw new Problem({
      status: 400,
      detail: `The input file ${JSON.stringify(name)} leads out of its folder.`,
    });
  }
  return path;
}

/** @throws {Problem} when the name could mean another folder */
export function assertBareName(name: string): void {
  if (name !== '' && !name.startsWith('.') && name !== '-' && !/[/\\\0]/.test(name)) return;
  throw new Problem({
    status: 400,
    detail: `${JSON.stringify(name)} is no file name: it must not name a folder.`,
  });
}
