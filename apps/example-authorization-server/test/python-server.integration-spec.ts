import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const FOLDER = `${ROOT}apps/example-python-authorization-server`;
const SOURCES = `${FOLDER}/authorization_server`;

/** Debian's own interpreter: the one that python3-authlib is installed for. */
const python = (...words: readonly string[]) => {
  const env = { PATH: process.env['PATH'], PYTHONDONTWRITEBYTECODE: '1' };
  const { status, stdout, stderr } = spawnSync('/usr/bin/python3', words, {
    cwd: FOLDER,
    encoding: 'utf8',
    env,
  });
  return { status, printed: stdout + stderr };
};

test('the unit tests of the server in Python pass', () => {
  expect(python('-m', 'unittest')).toEqual({
    status: 0,
    printed: expect.stringMatching(/Ran \d{2,} tests.*OK/s),
  });
});

test('its code has no unused names', () => {
  expect(python('-m', 'pyflakes', '.')).toEqual({ status: 0, printed: '' });
});

test('the code in docs/authorization-server.md is the server’s', () => {
  const sources = readdirSync(SOURCES)
    .filter((name) => name.endsWith('.py'))
    .map((name) => unindented(readFileSync(`${SOURCES}/${name}`, 'utf8')));
  const page = readFileSync(`${ROOT}docs/authorization-server.md`, 'utf8');
  const blocks = [...page.matchAll(/^```python\n([^]*?)^```$/gm)].map(([, code = '']) => unindented(code));
  expect(blocks.length).toBeGreaterThan(0);
  expect(blocks.filter((block) => !sources.some((source) => source.includes(block)))).toEqual([]);
});

function unindented(code: string): string {
  return code.replaceAll(/^ +/gm, '');
}
