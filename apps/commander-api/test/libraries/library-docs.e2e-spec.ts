import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { startZookeeper } from '@svc/test-servers';
import { EXIT } from '../../src/errors/commander-error.js';
import { expectSuccess } from '../shell/type-line.js';
import { blocks, readDocument, ROOT } from './support/documents.js';
import { LIBRARY, makeFolder, writeFiles } from './support/library-folder.js';
import { svccmd } from './support/svccmd.js';

const commandsOf = (document: string): string[] =>
  blocks(document, 'console')
    .join('')
    .match(/(?<=^\$ ).*$/gm) ?? [];

let folder: string;

beforeEach(async () => {
  folder = await makeFolder();
  await mkdir(join(folder, 'bin'));
  await symlink(new URL('apps/commander-api/bin/svccmd.js', ROOT).pathname, join(folder, 'bin', 'svccmd'));
});

afterEach(async () => rm(folder, { recursive: true }));

async function runAll(commands: readonly string[]): Promise<void> {
  expect(await expectSuccess(commands, { cwd: folder })).toBe('');
}

test.each(['load', 'diff', 'validate', 'status', 'history', 'rollback', 'pull', 'watch'])(
  'docs/library.md names the options of %s, and no other',
  async (command) => {
    const { stdout } = await svccmd(['library', command, '--help']);
    const options = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, option]) => option!);
    const documented = [...readDocument('library.md').matchAll(/^\| `(--[\w-]+)[^`]*` +\| ([^|]*)\|/gm)]
      .filter(([, , commands]) => commands!.trim() === 'all' || commands!.includes(`\`${command}\``))
      .map(([, option]) => option!);
    expect([...documented, '--help'].sort()).toEqual(options.sort());
  },
);

test('docs/library.md explains each exit code', () => {
  const codes = [...readDocument('library.md').matchAll(/^\| (\d) +\| /gm)].map(([, code]) => Number(code));
  expect(codes).toEqual(Object.values(EXIT));
});

test('every command of docs/library.md works, in its order', async () => {
  expect(commandsOf('library.md').length).toBeGreaterThan(10);
  await runAll(commandsOf('library.md'));
});

test('every command of docs/library-recovery.md works after two loads', async () => {
  await writeFiles(folder, {
    'library/a.yaml': 'x: 1\n',
    'svccmd.conf': `[source]\npath=library\nstate_path=copies\n[destination]\nurls=file://${folder}/stored\n`,
  });
  const commands = commandsOf('library-recovery.md');
  expect(commands.length).toBeGreaterThan(5);
  await runAll(['svccmd library load', 'echo "x: 2" > library/a.yaml', 'svccmd library load', ...commands]);
});

test('the configuration in docs/library.md is valid', async () => {
  writeFileSync(join(folder, 'svccmd.conf'), blocks('library.md', 'ini')[0]!);
  expect(await svccmd(['-c', join(folder, 'svccmd.conf'), 'config'])).toMatchObject({ code: 0, stderr: '' });
});

test('the consumer in docs/library-consumers.md sees each load once, with its changes', async () => {
  const zookeeper = await startZookeeper();
  const library = await makeFolder(LIBRARY);
  const environment = { SVCCMD_SOURCE_PATH: library, SVCCMD_DESTINATION_URLS: zookeeper.address };
  const load = async () => expect(await svccmd(['library', 'load'], environment)).toMatchObject({ code: 0 });
  await load();
  const script = join(folder, 'consumer.py');
  writeFileSync(script, blocks('library-consumers.md', 'python')[0]!);
  // Debian's own interpreter: the one that python3-kazoo is installed for.
  const consumer = spawn('/usr/bin/python3', [script, zookeeper.address, '/library'], {
    env: { ...process.env, PYTHONUTF8: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  consumer.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const seen = async (version: string): Promise<string[]> => {
    while (!output.includes(`version ${version}\n`)) await new Promise((resolve) => setTimeout(resolve, 50));
    const lines = output.trim().split('\n');
    output = '';
    return lines.slice(0, -1);
  };
  try {
    expect(await seen('2')).toEqual(
      Object.keys(LIBRARY)
        .sort()
        .map((path) => `new /library/${path}`),
    );
    await writeFiles(library, { 'Lookups/ports.csv': 'port,name\n', 'Parsers/Linux/20_sudo.yaml': null });
    await load();
    expect(await seen('3')).toEqual([
      'changed /library/Lookups/ports.csv',
      'gone /library/Parsers/Linux/20_sudo.yaml',
    ]);
    await writeFiles(library, {
      'Parsers/Linux/20_sudo.yaml': 'define: {type: other}\n',
      'Parsers/Linux/10_ssh.yaml': null,
    });
    await load();
    await writeFiles(library, { 'Parsers/Linux/10_ssh.yaml': 'x: 1\n' });
    await load();
    const changes = await seen('5');
    expect(changes).toContain('new /library/Parsers/Linux/20_sudo.yaml');
    expect(changes.at(-1)).toMatch(/^(new|changed) \/library\/Parsers\/Linux\/(10_ssh|20_sudo)\.yaml$/);
  } finally {
    consumer.kill();
    await zookeeper.stop();
    await rm(library, { recursive: true });
  }
});
