import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { jest } from '@jest/globals';
import { DRILLS } from '../drills/drills.mjs';
import { runDrills } from '../drills/support/run-drills.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const NAMES = Object.keys(DRILLS);
const PROGRAMS = NAMES.filter((name) => DRILLS[name]?.files.length === 0);

describe('drills of which one fails', () => {
  let results: string;
  let failures: Map<string, string>;
  const printed: string[] = [];
  const outcomeOf = (name: string) =>
    JSON.parse(readFileSync(join(results, `${name}.json`), 'utf8')) as Record<string, unknown>;

  beforeAll(async () => {
    results = mkdtempSync(join(tmpdir(), 'drills-'));
    for (const method of ['log', 'table'] as const)
      jest.spyOn(console, method).mockImplementation((...words) => void printed.push(inspect(words)));
    const lost = Object.assign(new Error('two were lost'), { figures: [{ what: 'lost', value: '2' }] });
    const drills = {
      fails: { title: 'one that fails', run: () => Promise.reject(lost) },
      holds: {
        title: 'one that holds',
        run: ({ quick }: { quick: boolean }) =>
          Promise.resolve({ figures: [{ what: 'quick', value: String(quick) }] }),
      },
    };
    failures = await runDrills({ drills, quick: true, results });
  });
  afterAll(() => rmSync(results, { recursive: true }));

  test('all run, and the failed one is named with its failure', () => {
    const output = printed.join('\n');
    expect(output).toContain('DOES NOT HOLD: two were lost');
    expect(output).toMatch(/holds: one that holds[^]*quick[^]*held, 0 s/);
    expect([...failures]).toEqual([['fails', 'two were lost']]);
  });

  test('each has its outcome in a file, with the figures so far', () => {
    expect(outcomeOf('holds')).toMatchObject({
      name: 'holds',
      held: true,
      quick: true,
      figures: [{ what: 'quick', value: 'true' }],
    });
    expect(outcomeOf('fails')).toMatchObject({
      held: false,
      failure: 'two were lost',
      figures: [{ what: 'lost', value: '2' }],
    });
  });
});

test('an unknown name exits with status 2 and lists the known ones', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'tools/drill.mjs'), 'nonsense'], {
    encoding: 'utf8',
  });
  expect(status).toBe(2);
  expect(stderr).toContain(`no drill called nonsense; there are: ${NAMES.join(', ')}`);
});

test.each(Object.entries(DRILLS))('%s has a title, and runs', (_name, { title, run }) => {
  expect(title.length).toBeGreaterThan(20);
  expect(run).toBeInstanceOf(Function);
});

test.each(PROGRAMS)('%s is a program that can be loaded', async (name) => {
  const { run } = (await import(`../drills/${name}.mjs`)) as { run: unknown };
  expect(run).toBeInstanceOf(Function);
});

test('every drill-spec of the repository belongs to exactly one drill', () => {
  const { stdout } = spawnSync('git', ['ls-files', '*.drill-spec.ts'], { cwd: root, encoding: 'utf8' });
  const specs = Object.values(DRILLS).flatMap(({ files }) => files);
  expect([...specs].sort()).toEqual(stdout.trim().split('\n').sort());
});

describe('docs/reliability.md', () => {
  const rows = read('docs/reliability.md')
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.includes('`npm run '));
  const commandsIn = (row: string) => [...row.matchAll(/`npm run ([\w:]+)(?: -- ([^`]+))?`/g)];

  test.each(NAMES)('has a row for %s', (name) => {
    expect(rows.filter((row) => row.includes(`\`npm run drill -- ${name}\``))).not.toEqual([]);
  });

  test('names only existing commands', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const commands = rows.flatMap(commandsIn);
    expect(commands.length).toBeGreaterThan(NAMES.length - 1);
    for (const [, script = '', words = ''] of commands) {
      expect(Object.keys(scripts)).toContain(script);
      if (script === 'drill') expect(NAMES).toContain(words);
    }
  });

  test('is linked from where readers start', () => {
    for (const page of ['README.md', 'CONTRIBUTING.md'])
      expect(read(page)).toContain('(docs/reliability.md)');
    expect(read('docs/README.md')).toContain('(reliability.md)');
  });
});
