import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fencedBlocks } from './fenced-blocks.js';
import { ROOT } from './services.js';

const run = promisify(execFile);

/** An example of a README: a module, and what it prints. */
export interface Example {
  readonly code: string;
  readonly output: string;
}

/** Packs everything and installs it, and what examples use besides, into a folder outside the workspace. */
export async function installPackages(...others: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'packages-'));
  // A build would replace outputs that other tests are using at the same time.
  await run('npm', ['run', 'pack', '--', '--no-build', join(folder, 'packed')], { cwd: ROOT });
  const packed = (await readdir(join(folder, 'packed'))).map((name) => `./packed/${name}`);
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...packed, ...others], {
    cwd: folder,
  });
  return folder;
}

/** The examples of an installed package's README: each `js` block with the `text` block that follows it. */
export async function examplesOf(folder: string, name: string): Promise<Example[]> {
  const blocks = fencedBlocks(await readFile(join(folder, 'node_modules/@svc', name, 'README.md'), 'utf8'));
  return blocks.flatMap(({ language, text: code }, index) => {
    const next = blocks[index + 1];
    return language === 'js' ? [{ code, output: next?.language === 'text' ? next.text : '' }] : [];
  });
}

/** Writes an example as a module beside the installed packages. @returns its path */
export async function writeExample(folder: string, name: string, code: string): Promise<string> {
  const place = join(folder, 'examples', name);
  await mkdir(place, { recursive: true });
  const path = join(place, 'example.js');
  await writeFile(path, code);
  return path;
}
