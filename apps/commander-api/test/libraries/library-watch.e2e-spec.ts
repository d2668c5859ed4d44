import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, writeFiles } from './support/library-folder.js';
import { startSvccmd } from './support/svccmd.js';

let folder: string;

beforeEach(async () => {
  folder = await makeFolder();
});

afterEach(async () => rm(folder, { recursive: true }));

/** Copies one folder after the other, as slowly as over a network. */
const SLOW_COPY = 'for one in "$1"/*; do cp -r "$one" "$2" && sleep 0.4; done';

test('watch loads a folder that is being copied when the copy is whole', async () => {
  const [copy, target] = [join(folder, 'copy'), join(folder, 'library')];
  const names = Array.from({ length: 10 }, (_, n) => `Parsers${n}/parser.yaml`);
  await writeFiles(copy, Object.fromEntries(names.map((name) => [name, 'define: {type: parser}\n'])));
  await mkdir(target);
  const copying = spawn('sh', ['-c', SLOW_COPY, 'sh', copy, target], { stdio: 'inherit' });
  const child = startSvccmd(['library', 'watch', '--interval', '1', '--json'], {
    SVCCMD_SOURCE_PATH: target,
    SVCCMD_DESTINATION_URLS: `file://${join(folder, 'stored')}`,
  });
  const output = { text: '' };
  child.stdout!.on('data', (chunk: Buffer) => (output.text += chunk.toString()));
  while (!output.text.includes('\n}')) await once(child.stdout!, 'data');
  child.kill('SIGINT');
  await once(child, 'close');
  expect(JSON.parse(output.text)).toMatchObject({ load: 1, created: 2 * names.length });
  expect(copying.exitCode).toBe(0);
});
