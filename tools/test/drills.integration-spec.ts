import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const DRILLS = readdirSync(join(root, 'tools/drills'))
  .filter((file) => file.endsWith('.mjs'))
  .map((file) => file.replace('.mjs', ''));

const HOLDS = `export const title = 'one that holds';
export const run = async ({ quick }) => ({ figures: [{ what: 'quick', value: String(quick) }] });`;
const DOES_NOT = `export const title = 'one that does not';
export const run = async () => {
  throw Object.assign(new Error('two were lost'), { figures: [{ what: 'lost', value: '2' }] });
};`;

/** What a program says that imports from a file of tools/drills. */
function said(program: string): string {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  });
  return stdout + stderr;
}

describe('drills of which one does not hold', () => {
  let folder: string;
  let output: string;
  const outcomeOf = (name: string) =>
    JSON.parse(readFileSync(join(folder, 'results', `${name}.json`), 'utf8')) as Record<string, unknown>;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'drills-'));
    writeFileSync(join(folder, 'holds.mjs'), HOLDS);
    writeFileSync(join(folder, 'fails.mjs'), DOES_NOT);
    output = said(`import { findDrills, runDrills } from '${root}tools/drills/support/run-drills.mjs';
      const [folder, results] = ['${folder}', '${folder}/results'];
      console.log('failed', await runDrills({ folder, names: findDrills(folder), quick: true, results }));`);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('all run, and the one is named with what does not hold', () => {
    expect(output).toContain('DOES NOT HOLD: two were lost');
    expect(output).toMatch(/holds: one that holds[^]*quick[^]*held, 0 s/);
    expect(output).toContain("failed [ 'fails' ]");
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
      fault: 'two were lost',
      figures: [{ what: 'lost', value: '2' }],
    });
  });
});

test('an unknown name ends with status 2 and the names there are', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'tools/drill.mjs'), 'nonsense'], {
    encoding: 'utf8',
  });
  expect(status).toBe(2);
  expect(stderr).toContain(`no drill called nonsense; there are: ${DRILLS.sort().join(', ')}`);
});

test.each(DRILLS)('%s says what it does, and runs', (name) => {
  const program = `const { title, run } = await import('${root}tools/drills/${name}.mjs');
    console.log(typeof title, title.length > 20, typeof run);`;
  expect(said(program)).toBe('string true function\n');
});

describe('docs/reliability.md', () => {
  const rows = read('docs/reliability.md')
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.includes('`npm run '));
  const commandsIn = (row: string) => [...row.matchAll(/`npm run ([\w:]+)(?: -- ([^`]+))?`/g)];

  test.each(DRILLS)('has a row for %s', (name) => {
    expect(rows.filter((row) => row.includes(`\`npm run drill -- ${name}\``))).not.toEqual([]);
  });

  test('names only commands that there are', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const commands = rows.flatMap(commandsIn);
    expect(commands.length).toBeGreaterThan(DRILLS.length - 1);
    for (const [, script = '', words = ''] of commands) {
      expect(Object.keys(scripts)).toContain(script);
      if (script === 'drill') expect(DRILLS).toContain(words);
    }
  });

  test('is linked from where readers begin', () => {
    for (const page of ['README.md', 'CONTRIBUTING.md'])
      expect(read(page)).toContain('(docs/reliability.md)');
    expect(read('docs/README.md')).toContain('(reliability.md)');
  });
});
