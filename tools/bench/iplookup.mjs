// Building a lookup from a CSV file as `svccmd` does it, against the floor of just scanning that file, in turn; against
// MaxMind's writer in Perl; and looking addresses up, against other readers.
import { spawnSync } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createGzip } from 'node:zlib';
import { writeRangesCsv } from './iplookup-csv.mjs';
import { measurePeer } from './iplookup-perl.mjs';
import { measureProcess, median } from './process-figures.mjs';

export const name = 'iplookup';

const here = (file) => fileURLToPath(new URL(file, import.meta.url));
const SVCCMD = here('../../apps/commander-api/bin/svccmd.js');
const SCAN = here('iplookup-scan.mjs');
const LOOKUPS = here('iplookup-lookups.mjs');
const MMDBLOOKUP = '/usr/bin/mmdblookup';
const COLUMNS = 'country_code country_name region_name city_name latitude longitude zip_code time_zone';

/** Case, input file, text scanned for the floor, further options. */
const CASES = [
  { what: 'IPv4', file: 'v4.csv', family: 4 },
  { what: 'IPv6', file: 'v6.csv', family: 6 },
  { what: 'IPv4, --include-ip-range', file: 'v4.csv', family: 4, options: ['--include-ip-range'] },
  { what: 'IPv4, gzipped input', file: 'v4.csv.gz', scanned: 'v4.csv', family: 4 },
  { what: 'IPv4, --gzip', file: 'v4.csv', family: 4, options: ['--gzip'] },
  { what: 'IPv4, unsorted', file: 'v4-unsorted.csv', family: 4 },
];

export async function run({ quick, log }) {
  const size = quick
    ? { rows: 100_000, peerRows: 20_000, lookups: 50_000, rounds: 1 }
    : { rows: 3_000_000, peerRows: 300_000, lookups: 500_000, rounds: 3 };
  const folder = mkdtempSync(join(tmpdir(), 'iplookup-bench-'));
  /** @type {{ rows: object[], ratios: Record<string, number> }} */
  const figures = { rows: [], ratios: {} };
  try {
    await writeInputs(folder, size, log);
    for (const each of CASES) await measureCase(each, { folder, size, log, figures });
    await measureAgainstPeer({ folder, size, log, figures });
    await measureLookups({ folder, size, log, figures });
    return figures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeInputs(folder, { rows, peerRows }, log) {
  log(`writing ${rows} rows of each kind`);
  writeFileSync(join(folder, 'svccmd.conf'), `[iplookup]\nsource_path=.\ndestination_path=.\n`);
  writeRangesCsv(join(folder, 'v4.csv'), { rows, family: 4 });
  writeRangesCsv(join(folder, 'v6.csv'), { rows, family: 6 });
  writeRangesCsv(join(folder, 'v4-unsorted.csv'), { rows, family: 4, sorted: false });
  writeRangesCsv(join(folder, 'v4-peer.csv'), { rows: peerRows, family: 4 });
  const text = createReadStream(join(folder, 'v4.csv'));
  await pipeline(text, createGzip(), createWriteStream(join(folder, 'v4.csv.gz')));
}

/**
 * @param {{ what: string, file: string, family: number, scanned?: string, options?: string[] }} one
 * @param {object} bench
 */
async function measureCase({ what, file, scanned = file, family, options = [] }, bench) {
  const { folder, size, log } = bench;
  const rounds = [];
  for (let round = 0; round < size.rounds; round += 1) {
    const floor = await measureProcess([SCAN, join(folder, scanned)]);
    const ours = await build(folder, file, family, options);
    rounds.push({ floor, ours });
    log(`${what}: ${ours.seconds.toFixed(2)} s, scan ${floor.seconds.toFixed(2)} s`);
  }
  const { floor, ours } = median(rounds, ({ ours, floor }) => ours.seconds / floor.seconds);
  report(bench, what, ours, size.rows);
  report(bench, `scan of the same text (${what})`, floor, size.rows);
  compare(bench, `${what}: time to that of a scan`, ours.seconds / floor.seconds);
}

/** Each lookup is named after its input. */
function build(folder, file, family, options = []) {
  const command = [
    '-c',
    join(folder, 'svccmd.conf'),
    '--quiet',
    'iplookup',
    'from-vendor',
    join(folder, file),
  ];
  return measureProcess([SVCCMD, ...command, '-i', `ipv${family}-int`, '-c', COLUMNS, ...options]);
}

async function measureAgainstPeer(bench) {
  const { folder, size, log } = bench;
  const file = join(folder, 'v4-peer.csv');
  log(`the writer in Perl, ${size.peerRows} rows`);
  const peer = measurePeer({ file, lookup: join(folder, 'peer.mmdb'), columns: COLUMNS.split(' '), log });
  const ours = await build(folder, 'v4-peer.csv', 4);
  report(bench, `IPv4, ${size.peerRows} rows`, ours, size.peerRows);
  if (peer === undefined) return;
  report(bench, `MaxMind::DB::Writer (Perl), the same rows`, peer, size.peerRows);
  compare(bench, 'Perl writer: its time to ours', peer.seconds / ours.seconds);
  compare(bench, 'Perl writer: its memory to ours', peer.peakMb / ours.peakMb);
}

/** Looks up records of eight columns and of one. */
async function measureLookups(bench) {
  const { folder, log } = bench;
  const lookup = join(folder, 'v4.mmdb');
  if (!existsSync(MMDBLOOKUP))
    log('left out: mmdblookup. On Debian, install it with: sudo apt-get install mmdb-bin');
  await build(folder, 'v4.csv', 4);
  await measureReaders(bench, lookup, 'look-ups a second');
  await build(folder, 'v4.csv', 4, ['--keep-columns', 'country_code']);
  await measureReaders(bench, lookup, 'look-ups of one column a second');
}

async function measureReaders(bench, lookup, what) {
  const { size } = bench;
  /** @type {Record<string, number[]>} */
  const rounds = {};
  for (let round = 0; round < size.rounds; round += 1) {
    for (const reader of ['iplookup-core', 'mmdb-lib', 'maxmind']) {
      const { stdout } = await measureProcess([LOOKUPS, reader, lookup, String(size.lookups)]);
      (rounds[reader] ??= []).push(JSON.parse(stdout).perSecond);
    }
    if (existsSync(MMDBLOOKUP))
      (rounds['mmdblookup --benchmark'] ??= []).push(benchmarkOfMmdblookup(lookup, size.lookups));
  }
  const [ours, ...others] = Object.entries(rounds).map(([reader, figures]) => ({
    reader,
    figure: median(figures, (each) => each),
  }));
  for (const { reader, figure } of [ours, ...others]) result(`${what} with ${reader}`, `${figure}/s`);
  for (const { reader, figure } of others) compare(bench, `${what}: ours to ${reader}`, ours.figure / figure);
}

/** @returns lookups per second of the C reader */
function benchmarkOfMmdblookup(lookup, count) {
  const { stdout } = spawnSync(MMDBLOOKUP, ['--file', lookup, '--benchmark', String(count)], {
    encoding: 'utf8',
  });
  const seconds = Number(/([\d.]+) seconds/.exec(stdout)?.[1]);
  return Math.round(count / seconds);
}

function report({ figures }, what, { seconds, cpuSeconds, peakMb }, rows) {
  figures.rows.push({
    what,
    seconds: Number(seconds.toFixed(2)),
    'CPU s': Number(cpuSeconds.toFixed(2)),
    'rows/s': Math.round(rows / seconds),
    'peak MB': Math.round(peakMb),
  });
  const speed = `${Math.round(rows / seconds)} rows/s`;
  result(what, `${seconds.toFixed(2)} s, CPU ${cpuSeconds.toFixed(2)} s, ${Math.round(peakMb)} MB, ${speed}`);
}

function compare({ figures }, what, ratio) {
  figures.ratios[what] = ratio;
  result(what, ratio.toFixed(2));
}

function result(what, figure) {
  console.log(`RESULT iplookup: ${what}: ${figure}`);
}
