import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readManifest, ROOT } from './common-manifest.mjs';

/** Names under which shells find the scripts. */
const COMPLETIONS = { bash: 'svccmd.bash', zsh: '_svccmd', fish: 'svccmd.fish' };

/**
 * Writes manual pages and completions into a package's folder, generated from the table of commands.
 *
 * @param {string} folder
 * @returns {Promise<{ man: string[], folders: string[] }>} members of its manifest
 */
export async function writeShellFiles(folder) {
  const load = async (path) => import(`${ROOT}apps/commander-api/compiled/${path}`);
  const { manPages } = await load('command-line/man-pages.js');
  const { COMMANDS } = await load('command-table.js');
  const nothing = () => undefined;
  const context = { config: nothing, answer: nothing, note: nothing, signal: new AbortController().signal };
  const pages = await manPages(COMMANDS, { ...context, interactive: false }, readManifest('.').version);
  for (const path of ['man', 'completions']) mkdirSync(join(folder, path));
  for (const [name, text] of pages) writeFileSync(join(folder, 'man', name), text);
  for (const [shell, name] of Object.entries(COMPLETIONS)) {
    const args = [`${ROOT}apps/commander-api/bin/svccmd.js`, 'completion', shell];
    // Elsewhere than here, where a configuration may lie: its libraries are not everybody's.
    const script = execFileSync(process.execPath, args, { cwd: folder, env: {}, encoding: 'utf8' });
    writeFileSync(join(folder, 'completions', name), script);
  }
  return { man: [...pages.keys()].map((name) => `man/${name}`), folders: ['man', 'completions'] };
}
