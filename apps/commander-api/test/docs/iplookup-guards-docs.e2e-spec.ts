import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../http/running-server.js';
import { expectSuccess, typeInShell, typeLine } from '../shell/type-line.js';

const ROOT = new URL('../../../../', import.meta.url);
const PAGE = readFileSync(new URL('docs/iplookup-guards.md', ROOT), 'utf8');

/** The page's fenced blocks, whatever their language. */
const BLOCKS = [...PAGE.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({
  language,
  text,
}));

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svccmd-docs-guards-'));
  mkdirSync(join(folder, 'bin'));
  symlinkSync(new URL('apps/commander-api/bin/svccmd.js', ROOT).pathname, join(folder, 'bin', 'svccmd'));
  const commands = BLOCKS.filter(({ language }) => language === 'console').flatMap(
    ({ text }) => text.match(/(?<=^\$ ).*$/gm) ?? [],
  );
  expect(commands.length).toBeGreaterThanOrEqual(6);
  await expectSuccess(commands, { cwd: folder });
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true }));

test('the refusal shown is the one printed', async () => {
  const csv = readFileSync(join(folder, 'in/places.csv'), 'utf8');
  writeFileSync(join(folder, 'in/places.csv'), csv.replace(/^192\.0\.2\.128.*\n/m, ''));
  const [line] = /(?<=`)svccmd iplookup from-csv places\.csv -i cidr --guards(?=` says)/.exec(PAGE) ?? [];
  const { code, stderr } = await typeLine(line!, { cwd: folder });
  expect(code).toBe(1);
  expect(BLOCKS.map(({ text }) => text)).toContain(stderr);
});

test('the requests are answered', async () => {
  const server = await startServer(folder);
  try {
    const requests = BLOCKS.filter(({ language }) => language === 'sh').map(({ text }) => text);
    const token = readFileSync(join(folder, 'svccmd.token'), 'utf8').trim();
    const script = requests
      .join('')
      .replaceAll('curl ', 'curl -sS --fail ')
      .replaceAll('http://127.0.0.1:8080', server.url);
    const { code, stdout, stderr } = await typeInShell(script, { cwd: folder, env: { TOKEN: token } });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('"file":"places.mmdb"');
  } finally {
    await server.stop();
  }
});
