import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UNBUNDLED } from '../bundle.mjs';
import { commonManifest, readManifest, readmeOf, ROOT } from './common-manifest.mjs';
import { PROGRAMS } from './published.mjs';
import { writeShellFiles } from './shell-files.mjs';

/** Puts a program's package into a folder: the bundle, its licences, and what the shell needs. */
export async function layOutProgram(project, folder) {
  const { folders, bin, name, hasManPages, ...about } = PROGRAMS[project];
  // Beside each other, as the registry expects the console's files. One manifest above all tells the version.
  for (const path of folders) cpSync(`${ROOT}apps/${path}`, join(folder, path), { recursive: true });
  for (const file of ['LICENSE', 'THIRD-PARTY-NOTICES.txt', 'CHANGELOG.md'])
    cpSync(`${ROOT}${file}`, join(folder, file));
  writeFileSync(join(folder, 'README.md'), readmeOf(`apps/${project}`));
  const shell = hasManPages ? await writeShellFiles(folder) : { man: undefined, folders: [] };
  const dependencies = UNBUNDLED[project].map((each) => [each, readManifest(`node_modules/${each}`).version]);
  return {
    ...commonManifest(about, `apps/${project}`, name),
    bin,
    ...(shell.man && { man: shell.man }),
    files: [...folders, ...shell.folders, 'CHANGELOG.md', 'THIRD-PARTY-NOTICES.txt'],
    dependencies: Object.fromEntries(dependencies),
  };
}
