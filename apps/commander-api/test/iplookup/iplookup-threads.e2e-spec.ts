import { execFile } from 'node:child_process';
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runSvccmd, SVCCMD } from '../shell/run-svccmd.js';
import { EPOCH, type LookupFolder, makeLookupFolder, removeLookupFolders } from './lookup-folder.js';
import { startLookupServer } from './lookup-server.js';

afterAll(removeLookupFolders);

/** More than 32 MB. */
const ROWS = 500_000;

const QUOTED = '"a value of two lines, of which the second looks like a row:\n7,8,""x"",y"';

const row = (i: number): string =>
  `"${i * 8_000}","${i * 8_000 + 7_000 + (i % 999)}","City ${i % 5_000} with a long name","${(i % 180) - 90}.25",Region\r\n`;

/** Sorted rows of values that repeat, every some thousand of them with other lines before it. */
function rows(others: readonly string[]): string[] {
  return Array.from({ length: ROWS }, (_, i) =>
    i > 0 && i % 7_001 === 0 && others.length > 0
      ? `${others[(i / 7_001) % others.length]!}${row(i)}`
      : row(i),
  );
}

let folder: LookupFolder;
beforeAll(() => {
  folder = makeLookupFolder();
  const header = 'ip_from,ip_to,city,latitude,region\r\n';
  const write = (name: string, lines: readonly string[]) => folder.write(name, header + lines.join(''));
  write('sorted.csv', rows([]));
  write('quoted.csv', rows(['\r\n', `1,x,a,1.5,b\n`, `9,8,${QUOTED},1.5,b\n`, '5,6,c\n']));
  const lines = rows([]);
  write('unsorted.csv', [...lines.slice(0, -1), row(3), lines.at(-1)!]);
});

/** Runs a build in a process that logs the threads it starts. */
async function build(name: string, threads: number, ...options: string[]) {
  const args = ['iplookup', 'from-csv', name, '-i', 'ipv4-int', '--json', '--threads', String(threads)];
  const env = { SOURCE_DATE_EPOCH: EPOCH, NODE_DEBUG: 'worker' };
  const { code, stdout, stderr } = await runSvccmd([...args, ...options], { cwd: folder.path, env });
  const lines = stderr.split('\n');
  const messages = lines.filter((line) => line.startsWith('svccmd: '));
  const summary = stdout === '' ? undefined : { ...(JSON.parse(stdout) as object), seconds: 0 };
  return { result: { code, summary, messages }, threads: threadsIn(stderr) };
}

/**
 * How many threads there were to read rows, according to Node's log of threads, none of which may have failed. On a busy machine
 * the main thread may have read all rows before the other begins.
 */
function threadsIn(log: string): number {
  expect(log).not.toContain('gets uncaught exception');
  return /create new worker[^]*block-worker\.js/.test(log) ? 2 : 1;
}

const lookup = (name: string): string =>
  readFileSync(join(folder.lookups, name.replace('csv', 'mmdb'))).toString('base64');

test.each([
  ['sorted.csv', []],
  ['sorted.csv', ['--include-ip-range', '--gzip']],
  ['quoted.csv', ['--skip-invalid']],
  ['quoted.csv', ['--skip-invalid', '--strict']],
  ['unsorted.csv', []],
])('%s with %p: the lookup is that of one thread', async (name, options) => {
  const file = options.includes('--gzip') ? `${name}.gz` : name;
  const one = await build(name, 1, ...options);
  expect(one).toMatchObject({ result: { code: 0 }, threads: 1 });
  const expected = lookup(file);
  const two = await build(name, 2, ...options);
  expect(two).toEqual({ ...one, threads: 2 });
  expect(lookup(file) === expected).toBe(true);
});

test.each([
  ['quoted.csv', []],
  ['unsorted.csv', ['--strict']],
])('%s with %p: the violations are those of one thread', async (name, options) => {
  const one = await build(name, 1, ...options);
  expect(one.result.code).toBe(1);
  expect(one.result.messages.length).toBeGreaterThan(0);
  expect(await build(name, 4, ...options)).toEqual({ ...one, threads: 2 });
});

/** Only Linux limits the address space. */
(process.platform === 'linux' ? test : test.skip)(
  'one thread where the address space is limited',
  async () => {
    const one = await build('sorted.csv', 1);
    const limited = ['-c', 'ulimit -v 2000000; exec "$@"', 'sh', process.execPath, SVCCMD];
    const args = ['iplookup', 'from-csv', 'sorted.csv', '-i', 'ipv4-int', '--json', '--threads', '2'];
    const options = { cwd: folder.path, env: { ...process.env, SOURCE_DATE_EPOCH: EPOCH } };
    const { stdout } = await promisify(execFile)('/bin/sh', [...limited, ...args], options);
    expect({ ...(JSON.parse(stdout) as object), seconds: 0 }).toEqual(one.result.summary);
  },
);

test('over HTTP, two threads if configured, and one otherwise', async () => {
  await build('sorted.csv', 1);
  const expected = lookup('sorted.csv');
  for (const threads of [1, 2]) {
    if (threads > 1) appendFileSync(join(folder.path, 'svccmd.conf'), `threads = ${threads}\n`);
    const server = await startLookupServer(folder, { NODE_DEBUG: 'worker' });
    const body = { file_name: 'sorted.csv', input_ip_format: 'ipv4-int' };
    rmSync(join(folder.lookups, 'sorted.mmdb'));
    const response = await server.post('/from-csv', body);
    expect([response.status, await server.stop()]).toEqual([200, 0]);
    expect(threadsIn(server.output())).toBe(threads);
    expect(lookup('sorted.csv') === expected).toBe(true);
  }
});

test('a number of threads that is out of range', async () => {
  const { code, stderr } = await folder.run('from-csv', 'sorted.csv', '--threads', '5');
  expect([code, stderr]).toEqual([2, expect.stringContaining('It must be a number from 1 to 4')]);
});
