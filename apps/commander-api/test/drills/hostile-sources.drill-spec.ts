import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  longestProbe,
  type MadeUpRepository,
  type PackServer,
  recordFigure,
  startPackServer,
} from '@svc/test-servers';
import {
  entry,
  nestedTrees,
  oidOf,
  pack,
  reversedDeltas,
  treeBomb,
  treeLine,
} from '@svc/test-servers/git-pack';
import { type RunningServer, startServer } from '../http/running-server.js';

/** The longest that a probe may wait, in milliseconds: of the main thread's processor time, and alone also by the clock. */
const LONGEST_MS = 250;
const ON_IDLE_MACHINE = process.env['DRILL_IDLE_MACHINE'] !== undefined;

/** How much of each input there is. */
const SCALE = Number(process.env['DRILL_SCALE'] ?? 1);

const TOKEN = 'a-token-of-the-drill-of-hostile-sources';

let folder: string;
let git: PackServer;
let commander: RunningServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'drill-hostile-'));
  git = await startPackServer();
  writeFileSync(
    join(folder, 'svccmd.conf'),
    `[source]
path = ${git.url.replace('http:', 'git:')}
[destination]
urls = file://${folder}/stored
[iplookup]
source_path = .
destination_path = .
`,
  );
  commander = await startServer(folder, {
    SVCCMD_HTTP_TOKEN: TOKEN,
    RATE_LIMIT_PER_TOKEN: 'off',
    RATE_LIMIT_PER_ADDRESS: 'off',
  });
});

afterAll(async () => {
  expect(await commander.stop()).toBe(0);
  await git.stop();
  rmSync(folder, { recursive: true });
});

async function ask(method: string, path: string, body?: string): Promise<{ status: number; text: string }> {
  const headers = {
    authorization: `Bearer ${TOKEN}`,
    ...(body !== undefined && { 'content-type': 'text/csv' }),
  };
  const answer = await fetch(commander.url + path, { method, headers, body: body ?? null });
  return { status: answer.status, text: await answer.text() };
}

/** A repository whose root folder is the last of `trees`. */
function repository(
  trees: readonly Buffer[],
  others: readonly Buffer[],
  refs: string[] = [],
): MadeUpRepository {
  const commit = Buffer.from(`tree ${oidOf('tree', trees.at(-1)!)}\n\nhostile\n`);
  const objects = [...others, ...trees.map((tree) => entry('tree', tree)), entry('commit', commit)];
  return { commit, pack: pack(objects), refs };
}

/** A repository with some files at its root, or in the innermost of folders within each other. */
function withFiles(files: Readonly<Record<string, string>>, depth = 0): MadeUpRepository {
  const names = Object.keys(files).sort();
  const blobs = names.map((name) => Buffer.from(files[name]!));
  const root = Buffer.concat(
    names.map((name, index) => treeLine('100644', name, oidOf('blob', blobs[index]!))),
  );
  const trees = [root];
  for (let level = 0; level < depth; level += 1) {
    const inner = treeLine('40000', 'a', oidOf('tree', trees.at(-1)!));
    trees.push(level === depth - 1 ? Buffer.concat([root, inner]) : inner);
  }
  return repository(
    trees,
    blobs.map((blob) => entry('blob', blob)),
  );
}

const EMPTY = Buffer.alloc(0);

function manyDeltas(): MadeUpRepository {
  const { entries, last } = reversedDeltas(4_000 * SCALE);
  return repository([treeLine('100644', 'a.yaml', last)], entries);
}

function manyObjects(): MadeUpRepository {
  return repository(
    [EMPTY],
    Array.from({ length: 100_000 * SCALE }, () => entry('blob', EMPTY)),
  );
}

function deepFolders(): MadeUpRepository {
  return repository(nestedTrees(1_000 * SCALE, 'd'.repeat(200), oidOf('blob', EMPTY)), [
    entry('blob', EMPTY),
  ]);
}

function manyRefs(): MadeUpRepository {
  const refs = Array.from(
    { length: 50_000 * SCALE },
    (_, index) => `${'0'.repeat(40)} refs/merge-requests/${index}/head\n`,
  );
  return repository([EMPTY], [], refs);
}

function manyProblems(): MadeUpRepository {
  const name = (index: number) => `${String(index).padStart(6, '0')}${'~'.repeat(100)}`;
  const lines = Array.from({ length: 20_000 * SCALE }, (_, index) =>
    treeLine('120000', name(index), oidOf('blob', EMPTY)),
  );
  return repository([Buffer.concat(lines)], [entry('blob', EMPTY)]);
}

/** Nearly as large as a node may be. */
const repeated = (piece: string): string => piece.repeat(Math.floor(900_000 / piece.length));

test.each<[string, () => MadeUpRepository]>([
  ['a pack of deltas in reverse order', manyDeltas],
  ['a pack of empty objects', manyObjects],
  ['folders within each other', deepFolders],
  [
    'a folder that holds itself a million times',
    () => repository(treeBomb(oidOf('blob', EMPTY)), [entry('blob', EMPTY)]),
  ],
  ['a list of many branches', manyRefs],
  ['a problem in each of many entries', manyProblems],
  [
    'an ignore file of repeated **',
    () => withFiles({ '.libraryignore': `${'a/**/'.repeat(14)}z\n`, 'y.yaml': 'y: 1\n' }, 32),
  ],
  [
    'an ignore file of many patterns',
    () => withFiles({ '.libraryignore': repeated('*a*b*c*d*e*f\n'), 'y.yaml': 'y: 1\n' }),
  ],
  ['YAML of brackets without end', () => withFiles({ 'a.yaml': repeated('[') })],
  // Just below the limit of words and marks: the parser composes all of them without a pause.
  ['YAML of flow mappings', () => withFiles({ 'a.yaml': `[${'{a: *b},'.repeat(36_000)}]` })],
  ['YAML of lines that are wrong', () => withFiles({ 'a.yaml': repeated('k: v: 1\n') })],
  ['YAML of quotes and escapes', () => withFiles({ 'a.yaml': `- "${repeated(String.raw`\u0041`)}"\n` })],
  ['YAML of keys in one mapping', () => withFiles({ 'a.yaml': repeated('? [a]\n: 1\n') })],
])('a health probe is answered in time amid a load of %s', async (what, make) => {
  git.serve(make());
  const { text } = await whileProbed(`a load of ${what}`, ask('PUT', '/library/load'), [200, 400, 502]);
  expect(text.length).toBeLessThan(1_000_000);
});

const HEADER = 'ip_from,ip_to,value\n';

test.each<[string, string, () => string]>([
  [
    'a number of many zeros',
    '&types=true',
    () => `${HEADER}1.0.0.0,1.0.0.255,${'0'.repeat(100_000 * SCALE)}x\n`,
  ],
  ['a cell that does not end', '', () => `${HEADER}1.0.0.0,1.0.0.255,"${'x'.repeat(500_000 * SCALE)}`],
  [
    'rows that overlap each other',
    '',
    () =>
      HEADER +
      Array.from(
        { length: 20_000 * SCALE },
        (_, row) => `0.0.0.${row % 256},255.255.${row % 256}.255,${row}\n`,
      ).join(''),
  ],
  ['rows of blanks', '', () => HEADER + ' '.repeat(500_000 * SCALE)],
])('a health probe is answered in time amid a lookup build of %s', async (what, options, make) => {
  const body = make();
  const path = `/iplookup/from-csv?lookup_name=drill&input_ip_format=ipv4${options}`;
  await whileProbed(`a lookup build of ${what}`, ask('POST', path, body), [200, 201, 400, 413]);
});

async function whileProbed<T extends { status: number }>(
  what: string,
  answer: Promise<T>,
  statuses: readonly number[],
): Promise<T> {
  const { waitedMs, workedMs } = await longestProbe(commander.url, commander.pid, answer);
  recordFigure(
    `longest wait of a health probe amid ${what}`,
    `${waitedMs} ms, ${workedMs} of processor time`,
  );
  expect(statuses).toContain((await answer).status);
  expect(workedMs).toBeLessThan(LONGEST_MS);
  if (ON_IDLE_MACHINE) expect(waitedMs).toBeLessThan(LONGEST_MS);
  return answer;
}
