import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MODULE = fileURLToPath(new URL('../find-leaks.mjs', import.meta.url));
const SECRET = 'svcr_0123456789012345678901234567890123456789012';
const PASSWORD = 'pass: wörd"1';

/** Request and body of each. */
type Answers = readonly [request: string, body: object][];

interface Recorded {
  readonly logs?: string;
  readonly answers?: Answers;
}

function leaksIn({ logs = '', answers = [] }: Recorded): { secrets: number; leaks: string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'find-leaks-'));
  const lines = answers.map(([request, body]) => `${JSON.stringify({ request, body })}\n`);
  writeFileSync(join(folder, 'secrets.1'), `${SECRET}\n`);
  writeFileSync(join(folder, 'secrets.2'), `${SECRET}\n${PASSWORD}\n`);
  writeFileSync(join(folder, 'logs.1'), logs);
  writeFileSync(join(folder, 'answers.2'), lines.join(''));
  const program = `import { findLeaks } from '${MODULE}'; console.log(JSON.stringify(findLeaks('${folder}')));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  return JSON.parse(stdout) as { secrets: number; leaks: string[] };
}

test('a secret only in the response that issued it is not a leak', () => {
  const answers: Answers = [['POST /token', { token: SECRET }]];
  expect(leaksIn({ answers, logs: '{"msg":"request"}\n' })).toEqual({ secrets: 2, leaks: [] });
});

test('a secret in a log is a leak, reported without the secret', () => {
  const { leaks } = leaksIn({ logs: `{"msg":"no such token: ${SECRET}"}\n` });
  expect(leaks).toEqual(['a log has svcr_012…: {"msg":"no such token: ********"}']);
});

test.each([
  `a_${SECRET}-b`,
  `?token=${SECRET}&x`,
  SECRET,
  PASSWORD,
  JSON.stringify({ msg: `no ${PASSWORD}` }),
])('a log that contains %s leaks it', (text) => {
  const { leaks } = leaksIn({ logs: `line\n${text}` });
  expect(leaks).toEqual([expect.stringContaining('********')]);
  expect(leaks[0]).not.toMatch(/pass: wörd..?1/);
});

test('a secret in a second answer is a leak, but not the token of a registration in its own answers', () => {
  const twice = (request: string): Answers => [
    [request, { token: SECRET }],
    [request, { token: SECRET }],
  ];
  expect(leaksIn({ answers: twice('GET /token') }).leaks).toHaveLength(1);
  expect(leaksIn({ answers: twice('GET /register/a') }).leaks).toEqual([]);
});
