// Loading a library into ZooKeeper as `svccmd` does it, against bare batches of the same nodes, kazoo and git, in turn.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensemble } from './library-ensemble.mjs';
import { writeLibrary } from './library-files.mjs';
import { growth } from './library-growth.mjs';
import { standalone } from './library-standalone.mjs';

export const name = 'library';

export async function run({ quick, log }) {
  const size = quick ? { files: 500, folders: 30, rounds: 2 } : { files: 5_000, folders: 300, rounds: 5 };
  const folder = mkdtempSync(join(tmpdir(), 'library-bench-'));
  try {
    const source = join(folder, 'library');
    const { bytes } = writeLibrary(source, size);
    log(`${size.files} files, ${size.folders} folders, ${(bytes / 1e6).toFixed(1)} MB`);
    const given = { folder, source, rounds: size.rounds, log };
    const parts = [await standalone(given), await ensemble(given)];
    if (!quick) parts.push(await growth(given));
    return {
      rows: parts.flatMap(({ rows }) => rows),
      ratios: Object.assign({}, ...parts.map(({ ratios }) => ratios)),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
