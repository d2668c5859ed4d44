import type { LibrarySource, SourceEntry } from '../ports/library-source.js';
import type { LoadOptions } from '../load-task.js';

export type Files = Readonly<Record<string, string>>;

/** A source with these files, and the folders they need. A path that ends with `/` is an empty folder. */
export function fixedSource(files: Files, revision = JSON.stringify(files)): LibrarySource {
  const folders = new Set<string>();
  for (const path of Object.keys(files)) {
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      folders.add(path.slice(0, slash));
    }
  }
  const entries: SourceEntry[] = [...folders].map((path) => ({ kind: 'folder', path }));
  for (const [path, text] of Object.entries(files)) {
    if (!path.endsWith('/')) entries.push({ kind: 'file', path, data: Buffer.from(text) });
  }
  return {
    name: 'source',
    kind: 'git',
    origin: 'source',
    revision: async () => revision,
    read: async () => ({ entries, revision }),
  };
}

/** The command's default options. */
export const PLAIN_LOAD: LoadOptions = {
  dryRun: false,
  prune: 'owned',
  allowEmpty: false,
  ifChanged: false,
  waitMs: 0,
  names: 'library',
  maxBytes: 512 << 20,
  versionNode: '.version.yaml',
  exclude: [],
};
