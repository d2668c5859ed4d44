// Syncing a declared lookup of four layers, against building its base alone and against syncing the base alone; then again
// with one layer changed, and with nothing changed.
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeRangesCsv } from './iplookup-csv.mjs';
import { measureProcess, median } from './process-figures.mjs';

export const name = 'sync';

const SVCCMD = fileURLToPath(new URL('../../apps/commander-api/bin/svccmd.js', import.meta.url));
const COLUMNS = 'country_code country_name region_name city_name latitude longitude zip_code time_zone'.split(
  ' ',
);
const BASE = `{source: base.csv, kind: vendor, input_ip_format: ipv4-int, column_names: [${COLUMNS}]}`;
const OTHERS = ['sites', 'cloud', 'deny'].map(
  (layer) => `{source: ${layer}.csv, input_ip_format: cidr, set: ['${layer}=yes']}`,
);

export async function run({ quick, log }) {
  const rows = quick ? 100_000 : 3_000_000;
  const rounds = quick ? 1 : 3;
  const folder = mkdtempSync(join(tmpdir(), 'sync-bench-'));
  /** @type {{ rows: object[], ratios: Record<string, number> }} */
  const figures = { rows: [], ratios: {} };
  try {
    writeInputs(folder, rows);
    const measured = [];
    for (let round = 0; round < rounds; round += 1) {
      const measurements = await measureRound(folder, round);
      measured.push(measurements);
      log(
        `round ${round + 1}: ${Object.entries(measurements)
          .map(([what, { seconds }]) => `${what} ${seconds.toFixed(2)} s`)
          .join(', ')}`,
      );
    }
    const by = (what, value) =>
      median(
        measured.map((each) => each[what]),
        value,
      );
    for (const what of Object.keys(measured[0])) {
      const { seconds, cpuSeconds, peakMb } = by(what, (each) => each.cpuSeconds);
      figures.rows.push({
        what,
        seconds: seconds.toFixed(2),
        'CPU s': cpuSeconds.toFixed(2),
        'peak MB': Math.round(peakMb),
      });
    }
    const ratio = (a, b, value) =>
      median(
        measured.map((each) => value(each[a]) / value(each[b])),
        (each) => each,
      );
    for (const [what, value] of [
      ['time', (each) => each.seconds],
      ['CPU', (each) => each.cpuSeconds],
      ['memory', (each) => each.peakMb],
    ]) {
      for (const base of ['sync of the base', 'build of the base'])
        figures.ratios[`${what} of four layers to the ${base}`] = ratio('sync of four layers', base, value);
    }
    figures.ratios['CPU of an unchanged sync to the base'] = ratio(
      'unchanged sync',
      'sync of the base',
      (each) => each.cpuSeconds,
    );
    return figures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureRound(folder, round) {
  rmSync(join(folder, 'out'), { recursive: true, force: true });
  const svccmd = (...words) =>
    measureProcess([SVCCMD, '-c', join(folder, 'svccmd.conf'), '--quiet', 'iplookup', ...words]);
  const base = ['from-vendor', join(folder, 'base.csv'), '-i', 'ipv4-int', '-c', ...COLUMNS];
  const figures = { 'build of the base': await svccmd(...base) };
  // Otherwise the next lookup, and only that, would be compared with a former one.
  rmSync(join(folder, 'out'), { recursive: true, force: true });
  figures['sync of the base'] = await svccmd('sync', 'base');
  rmSync(join(folder, 'out'), { recursive: true, force: true });
  figures['sync of four layers'] = await svccmd('sync', 'all');
  // Another content in each round.
  write(folder, 'deny.csv', networks(5_000, 5 + round));
  figures['sync of one changed layer'] = await svccmd('sync', 'all');
  figures['unchanged sync'] = await svccmd('sync', 'all');
  return figures;
}

function writeInputs(folder, rows) {
  writeFileSync(
    join(folder, 'svccmd.conf'),
    '[iplookup]\nsource_path=.\ndestination_path=out\ndeclarations=lookups.yaml\n',
  );
  const layers = (all) => all.map((layer) => `\n      - ${layer}`).join('');
  writeFileSync(
    join(folder, 'lookups.yaml'),
    `lookups:\n  base:\n    layers:${layers([BASE])}\n  all:\n    layers:${layers([BASE, ...OTHERS])}\n`,
  );
  writeRangesCsv(join(folder, 'base.csv'), { rows, family: 4 });
  settle(join(folder, 'base.csv'));
  write(folder, 'sites.csv', networks(2_000, 1));
  write(folder, 'cloud.csv', networks(10_000, 2));
  write(folder, 'deny.csv', networks(5_000, 4));
}

/** Networks of an operator, spread over the address space. */
function networks(count, step) {
  const rows = Array.from({ length: count }, (_, index) => {
    const address = (index * 40_503 * step * 256) % 2 ** 32;
    const octets = [24, 16, 8].map((shift) => Math.floor(address / 2 ** shift) % 256);
    return `${octets.join('.')}.0/${24 + (index % 6)},name ${index % 300}`;
  });
  return `network,name\n${[...new Set(rows)].join('\n')}\n`;
}

function write(folder, file, text) {
  writeFileSync(join(folder, file), text);
  settle(join(folder, file));
}

/** A file that has just been written is read once more by the next run. */
function settle(path) {
  const past = new Date(Date.now() - 60_000 - Math.random() * 1000);
  utimesSync(path, past, past);
}
