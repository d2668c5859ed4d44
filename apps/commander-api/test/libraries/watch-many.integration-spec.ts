import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInProcess } from '../shell/run-in-process.js';
import { makeFolder } from './support/library-folder.js';

test('a watch of several libraries prints each line with the name of its library, and each error on its own', async () => {
  const folder = await makeFolder({
    'one/a.yaml': 'a: 1\n',
    'two/b.yaml': 'a: 1\na: 2\n',
    'two/line\nbreak.yaml': 'a: 1\n',
  });
  const section = (name: string) =>
    `[library:${name}]\nsource.path=${folder}/${name}\ndestination.urls=file://${folder}/stored\ndestination.path=${name}\n`;
  const file = join(folder, 'svccmd.conf');
  await writeFile(file, section('one') + section('two'));
  const argv = ['-c', file, 'library', 'watch', '--interval', '1'];
  const end = new AbortController();
  let output = '';
  const onOutput = (piece: string) => {
    output += piece;
    if (/^one: load 1 is done/m.test(output) && /^two: .*; next check/m.test(output)) end.abort();
  };
  const { stdout, stderr } = await runInProcess(argv, { signal: end.signal, onOutput });
  await rm(folder, { recursive: true });
  const lines = stdout.trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(2);
  for (const line of lines) expect(line).toMatch(/^one: /);
  expect(stderr.split('\n')).toEqual(
    expect.arrayContaining([
      'two: the library has 2 errors; nothing was written:',
      expect.stringMatching(/^two: b\.yaml:2:1: error: /),
      expect.stringMatching(/^two: line\\nbreak\.yaml: error: .*; next check in \d+ s$/),
    ]),
  );
});
