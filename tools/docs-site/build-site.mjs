// Builds the documentation as a site into tools/docs-site/dist:
//   npm run docs:site
// VitePress, which takes 102 MB with its packages, is installed here when it is first needed.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { preparePages } from './prepare-pages.mjs';

const folder = fileURLToPath(new URL('.', import.meta.url));

if (!existsSync(`${folder}node_modules/vitepress`)) run('npm', ['ci', '--no-audit', '--no-fund']);
await preparePages(`${folder}pages`);
// A link that leads nowhere fails the build.
run(process.execPath, ['node_modules/vitepress/bin/vitepress.js', 'build']);

function run(program, args) {
  const { status } = spawnSync(program, args, { cwd: folder, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
