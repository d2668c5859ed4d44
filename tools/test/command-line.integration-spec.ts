import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

const run = (tool: string, ...words: string[]) =>
  spawnSync(process.execPath, [`tools/${tool}.mjs`, ...words], { cwd: root, encoding: 'utf8' });

const TOOLS = ['bench', 'drill', 'mutation', 'pack', 'publish', 'test', 'verify-containers'];

test.each(TOOLS)('%s starts nothing when an option is misspelt, and says how it is used', (tool) => {
  const { status, stdout, stderr } = run(tool, '--no-such-option');
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^Unknown option '--no-such-option'\n\n/);
  expect(stderr).toMatch(/^ *(npm (run|test)|node tools\/publish\.mjs) /m);
});

test.each(TOOLS)('%s only says how it is used when asked for help', (tool) => {
  const { status, stdout, stderr } = run(tool, 'some', '--help');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('\n  ');
  expect(stdout).not.toContain('//');
});
