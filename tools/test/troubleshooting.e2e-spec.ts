import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quoted, readPage, sources, tableRows } from './support/documented-tables.js';
import { ROOT } from './support/services.js';

const PAGES = ['docs/troubleshooting.md', 'docs/library-recovery.md'];

/** The programs' texts, with strings split over several source lines joined. */
const SPOKEN = sources(['apps/registry-api/src', 'apps/commander-api/src', ...librarySources()])
  .map(({ text }) => text.replaceAll(/['`]\s*\+\s*['`]/g, '').replaceAll("\\'", "'"))
  .join('\n');

function librarySources(): string[] {
  const names = ['service-kit', 'foundation', 'registry-client', 'library-source', 'library-sync'];
  return [...names, 'zookeeper-store', 'directory-store', 'iplookup-core', 'password-format'].map(
    (name) => `libs/${name}/src`,
  );
}

/** A message's words between what differs; settings in front of a colon come from elsewhere. */
function fixedParts(message: string): string[] {
  return message
    .split(/<[^<>]*>|\.\.\.|, \d+ /)
    .map((part) => part.replace(/^[\s(:;,]+|[\s():;,]+$/g, ''))
    .filter((part) => part.length >= 6);
}

/** A message may be put together of this many pieces of the source, each of so many characters. */
const PIECES = { most: 4, shortest: 6 };

/** Sentences of answers begin with a capital, and end with a stop, which the source's words need not have. */
function isSpoken(part: string): boolean {
  const small = part.charAt(0).toLowerCase() + part.slice(1);
  return [part, small].some((each) => isPutTogether(each.replace(/\.$/, ''), PIECES.most));
}

function isPutTogether(text: string, pieces: number): boolean {
  if (SPOKEN.includes(text)) return true;
  if (pieces === 1) return false;
  const ends = [...text.matchAll(/\s/g)].map(({ index }) => index).reverse();
  const end = ends.find((at) => at >= PIECES.shortest && SPOKEN.includes(text.slice(0, at)));
  return end !== undefined && isPutTogether(text.slice(end + 1), pieces - 1);
}

test('a message that no code prints is detected', () => {
  expect(isSpoken('the moon is made of green cheese')).toBe(false);
  expect(fixedParts('no change has the number <n> yet; ...')).toEqual(['no change has the number']);
});

test.each(PAGES)('every message of %s is one of the programs', (path) => {
  const page = readPage(path);
  const headers = ['message', 'status and message', 'symptom', 'message or symptom'];
  const messages = headers.flatMap((header) => tableRows(page, header)).flatMap(([first]) => quoted(first));
  expect(messages.length).toBeGreaterThan(10);
  const ofTheRegistry = new Set(['{"valid":false}', 'max_connections']);
  const strange = messages
    .filter((message) => !ofTheRegistry.has(message))
    .flatMap(fixedParts)
    .filter((part) => !isSpoken(part) && !isSpoken(part.replace(/^[A-Z_]+: /, '')));
  expect(strange).toEqual([]);
});

describe('what programs say when they are started', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-troubles-'));
    writeFileSync(join(folder, 'misspelt.conf'), '[http]\ntokenfile=x\n');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  async function say(words: readonly string[], environment: Record<string, string>): Promise<string> {
    const env = { PATH: process.env['PATH'], DATA_DIR: join(folder, 'data'), ...environment };
    return new Promise((resolve) => {
      execFile(process.execPath, [...words], { cwd: folder, env }, (_error, _printed, errors) =>
        resolve(errors),
      );
    });
  }

  const REGISTRY = [`${ROOT}apps/registry-api/dist/main.js`];
  const SVCCMD = `${ROOT}apps/commander-api/bin/svccmd.js`;
  const NOBODY = '127.0.0.1:1';

  test.each<[string, readonly string[], Record<string, string>]>([
    ['a database that is away', REGISTRY, { DATABASE_URL: `postgres://me:s3cret@${NOBODY}/registry` }],
    ['production without settings', REGISTRY, { NODE_ENV: 'production' }],
    ['a file that is not there', REGISTRY, { SECRET_PEPPER_FILE: '/nowhere' }],
    ['a misspelt key', [SVCCMD, '-c', 'misspelt.conf', 'config'], {}],
    ['no password key', [SVCCMD, 'encpwd', 'x'], {}],
    ['no source', [SVCCMD, 'library', 'load'], {}],
    [
      'no registry',
      [SVCCMD, 'client', 'list'],
      { SVCCMD_REGISTRY_URL: `http://${NOBODY}`, SVCCMD_REGISTRY_TOKEN: 'x' },
    ],
  ])('%s is in the page word for word', async (_case, words, environment) => {
    const printed = await say(words, environment);
    const messages = ['message']
      .flatMap((header) => tableRows(readPage(PAGES[0]!), header))
      .flatMap(([first]) => quoted(first));
    const matching = messages.filter((message) => patternOf(message).test(printed));
    expect({ printed, matching: matching.length > 0 }).toEqual({ printed, matching: true });
    expect(printed).not.toContain('s3cret');
  });

  function patternOf(message: string): RegExp {
    const parts = message.split(/<[^<>]*>|\.\.\./).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(parts.join('.*'));
  }
});
