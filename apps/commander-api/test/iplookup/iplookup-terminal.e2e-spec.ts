import { spawn } from 'node:child_process';
import { makeLookupFolder, removeLookupFolders } from './lookup-folder.js';

afterAll(removeLookupFolders);

const SVCCMD = new URL('../../bin/svccmd.js', import.meta.url).pathname;

/** Runs svccmd with a terminal of Python's making as its standard streams; gives all that came out. */
async function onTerminal(
  cwd: string,
  args: readonly string[],
): Promise<{ code: number | null; screen: string }> {
  const script = 'import pty, sys, os; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))';
  const child = spawn('/usr/bin/python3', ['-c', script, process.execPath, SVCCMD, ...args], {
    cwd,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], TERM: 'xterm', SOURCE_DATE_EPOCH: '1700000000' },
  });
  let screen = '';
  child.stdout.on('data', (chunk: Buffer) => (screen += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, screen };
}

const rows = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    i % 50 === 49
      ? `"${i * 9}","${i * 9 + 3}","-","-"\n`
      : `"${i * 9}","${i * 9 + 3}","X${i % 300}","Country ${i}"\n`,
  ).join('');

test('a terminal shows the progress of a build, and then only the summary', async () => {
  const folder = makeLookupFolder();
  // Enough that even a fast machine reads for long enough to tell its rate.
  folder.write('IP-COUNTRY.CSV', rows(1_600_000));
  const { code, screen } = await onTerminal(folder.path, ['iplookup', 'from-vendor', 'IP-COUNTRY.CSV']);
  expect(code).toBe(0);
  expect(screen).toMatch(/\r\u001b\[Kreading \d+(\.\d)? of \d+ MB \(\d+ %\)/);
  expect(screen).toMatch(/, [\d,]+ rows\/s, \d+ s left/);
  const summary = screen
    .slice(screen.lastIndexOf('\r\u001b[K') + 4)
    .replaceAll('\r', '')
    .split('\n');
  expect(summary).toEqual([
    expect.stringMatching(/\/IP-COUNTRY\.mmdb$/),
    'lookup:   IP-COUNTRY, IPv4 and IPv6',
    'rows:     1600000 read, 1568000 kept, 32000 dropped as empty',
    '          32000 without any value, 0 with some values missing',
    expect.stringMatching(/^contents: 1568000 records, \d+ nodes of 2[48]-bit records, \d+ bytes$/),
    expect.stringMatching(/^time: {5}\d+(\.\d+)? s$/),
    '',
  ]);
});

test('quiet draws nothing, and errors are not overwritten', async () => {
  const folder = makeLookupFolder();
  folder.write('IP-COUNTRY.CSV', rows(50_000));
  const quiet = await onTerminal(folder.path, ['--quiet', 'iplookup', 'from-vendor', 'IP-COUNTRY.CSV']);
  expect(quiet.screen).not.toContain('\u001b');
  folder.write('IP-COUNTRY.CSV', `${rows(50_000)}"1","0","a","b"\n`);
  const { code, screen } = await onTerminal(folder.path, ['iplookup', 'from-vendor', 'IP-COUNTRY.CSV']);
  expect(code).toBe(1);
  expect(screen).toContain('svccmd: IP-COUNTRY.CSV: row 50001, column ip_from: "1" is after ip_to "0"\r\n');
});

test('a dump to a terminal contains no control characters from the data', async () => {
  const folder = makeLookupFolder();
  folder.write('evil.csv', 'ip_from,ip_to,v\n10.0.0.0,10.0.0.1,\u001b[31mred\n');
  await folder.run('from-csv', 'evil.csv', '-i', 'ipv4');
  const { screen } = await onTerminal(folder.path, ['iplookup', 'dump', 'evil']);
  expect(screen).toContain('10.0.0.0,10.0.0.1,\\u001b[31mred');
});
