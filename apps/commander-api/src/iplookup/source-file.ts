import { Problem } from '@svc/service-kit';
import type { CommanderConfig } from '../config/commander-config.js';
import { openInside } from './open-inside.js';

const REFUSALS = {
  missing: { status: 404, detail: (name: string) => `There is no input file ${name}.` },
  outside: { status: 400, detail: (name: string) => `The input file ${name} leads out of its folder.` },
  irregular: { status: 400, detail: (name: string) => `The input file ${name} is no regular file.` },
};

/**
 * The input file that a request names: a regular one in the folder of input files, by a name without folder, and not a
 * link that leads elsewhere.
 *
 * @returns its path without links
 * @throws {Problem}
 */
export async function sourceFile(config: CommanderConfig, name: string): Promise<string> {
  const folder = config.iplookup.source_path;
  if (folder === undefined)
    throw new Problem({ status: 503, detail: 'iplookup.source_path is not configured.' });
  const found = await openInside(folder, name);
  if (typeof found === 'string') {
    const { status, detail } = REFUSALS[found];
    throw new Problem({ status, detail: detail(JSON.stringify(name)) });
  }
  await found.handle.close();
  return found.path;
}
