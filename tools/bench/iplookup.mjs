// Building a lookup from a CSV file as `svccmd` does it, against the floor of just scanning that file, in turn.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeRangesCsv } from './iplookup-csv.mjs';
import { measureProcess, median } from './process-figures.mjs';

export const name = 'iplookup';

const SVCCMD = fileURLToPath(new URL('../../apps/commander-api/bin/svccmd.js', import.meta.url));
const SCAN = fileURLToPath(new URL('iplookup-scan.mjs', import.meta.url));
const COLUMNS = 'country_code country_name region_name city_name latitude longitude zip_code time_zone';

/** [case, address family of the file, further options] */
const CASES = [
  ['IPv4', 4, []],
  ['IPv6', 6, []],
  ['IPv4, --include-ip-range', 4, ['--include-ip-range']],
  ['IPv4, --gzip', 4, ['--gzip']],
];

export async function run({ quick, log }) {
  const size = quick ? { rows: 100_000, rounds: 1 } : { rows: 3_000_000, rounds: 3 };
  const folder = mkdtempSync(join(tmpdir(), 'iplookup-bench-'));
  try {
    const files = { 4: join(folder, 'v4.csv'), 6: join(folder, 'v6.csv') };
    for (const family of [4, 6]) {
      log(`writing ${size.rows} rows of IPv${family}`);
      writeRangesCsv(files[family], { rows: size.rows, family });
    }
    const config = join(folder, 'svccmd.conf');
    writeFileSync(config, `[iplookup]\nsource_path=.\ndestination_path=.\n`);
    const rows = [];
    const ratios = {};
    for (const [what, family, options] of CASES) {
      const { ours, floor } = await compare({ config, file: files[family], family, options, size, log });
      rows.push(
        rowOf(what, ours, size, files[family]),
        rowOf(`scan of the same file`, floor, size, files[family]),
      );
      ratios[`${what}: time to that of a scan`] = ours.seconds / floor.seconds;
    }
    return { rows, ratios };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compare({ config, file, family, options, size, log }) {
  const build = [
    '-c',
    config,
    '--quiet',
    'iplookup',
    'from-vendor',
    file,
    '-o',
    'bench',
    '-i',
    `ipv${family}-int`,
  ];
  const rounds = [];
  for (let round = 0; round < size.rounds; round += 1) {
    const floor = await measureProcess([SCAN, file]);
    const ours = await measureProcess([SVCCMD, ...build, '-c', COLUMNS, ...options]);
    rounds.push({ floor, ours });
    log(
      `IPv${family} ${options.join(' ')}: ${ours.seconds.toFixed(2)} s, scan ${floor.seconds.toFixed(2)} s`,
    );
  }
  return median(rounds, ({ ours, floor }) => ours.seconds / floor.seconds);
}

function rowOf(what, { seconds, cpuSeconds, peakMb }, { rows }, file) {
  return {
    what,
    seconds: Number(seconds.toFixed(2)),
    'CPU s': Number(cpuSeconds.toFixed(2)),
    'rows/s': Math.round(rows / seconds),
    'MB/s': Math.round(statSync(file).size / 1e6 / seconds),
    'peak MB': Math.round(peakMb),
  };
}
