import { appendFileSync, closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { recordFigure } from '@svc/test-servers';
import { runSvccmd } from '../shell/run-svccmd.js';
import { type LookupFolder, makeLookupFolder, removeLookupFolders } from './lookup-folder.js';

afterAll(removeLookupFolders);

const ROWS = Number(process.env['DRILL_ROWS'] ?? 1_000_000);
/** So few that a build needs little more than the program itself. */
const FEW_ROWS = 100_000;
const PLACES = 50_000;
const COLUMNS = 'country_code country_name region_name city_name latitude longitude zip_code time_zone'.split(
  ' ',
);

/**
 * Loaded into the measured process; writes its peak memory as it ends. `process.resourceUsage().maxRSS` would count that of
 * the process that started it, too.
 */
const reporter = (file: string) =>
  `data:text/javascript,${encodeURIComponent(`
    import { readFileSync, writeFileSync } from 'node:fs';
    process.on('exit', () => writeFileSync(${JSON.stringify(file)}, readFileSync('/proc/self/status')));
  `)}`;

/** Runs `svccmd iplookup …`. @returns its peak memory in MB */
async function peakOf(folder: LookupFolder, ...args: string[]): Promise<number> {
  const file = join(folder.path, 'peak');
  const env = { NODE_OPTIONS: `--import=${reporter(file)}` };
  expect(await runSvccmd(['iplookup', ...args], { cwd: folder.path, env })).toMatchObject({ code: 0 });
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(file, 'utf8'))!;
  return Math.round((Number(kilobytes) * 1024) / 1e6);
}

/** Sizes of adjacent ranges, 1,408 addresses on average. */
const SIZES = {
  /** Like allocations, they start at round addresses. */
  round: [256, 2_048, 256, 1_024, 4_096, 512, 1_024, 2_048],
  /** They take as many nodes for a row as those of large databases. */
  uneven: [304, 2_000, 208, 1_072, 4_048, 560, 976, 2_096],
};

type Shape = keyof typeof SIZES;

function writeBase(path: string, count: number, shape: Shape): void {
  const sizes = SIZES[shape];
  const file = openSync(path, 'w');
  let from = 0;
  for (let row = 0; row < count; row += 10_000) {
    const rows = Array.from({ length: Math.min(10_000, count - row) }, (_, index) => {
      const start = from;
      from += sizes[((row + index) * 5) % sizes.length]!;
      return `"${start}","${from - 1}",${place(((row + index) * 7_919) % PLACES)}\r\n`;
    });
    writeSync(file, rows.join(''));
  }
  closeSync(file);
}

function place(index: number): string {
  const country = `${String.fromCharCode(65 + (index % 26))}${String.fromCharCode(65 + ((index >> 5) % 26))}`;
  const zone = `${index % 2 === 0 ? '+' : '-'}${String(index % 12).padStart(2, '0')}:00`;
  const degrees = [(index % 18_000) / 100 - 90, (index % 36_000) / 100 - 180].map((each) => each.toFixed(6));
  return [country, `Country ${country}`, `Region ${index % 3_000}`, `City ${index}`, ...degrees, index, zone]
    .map((cell) => `"${cell}"`)
    .join(',');
}

/** Networks of an operator, spread over the address space. */
function networks(count: number, step: number): string {
  const rows = Array.from({ length: count }, (_, index) => {
    const place = (index * 40_503 * step) % 2 ** 24;
    return `${place >> 16}.${(place >> 8) & 255}.${place & 255}.0/${24 + (index % 6)},name ${index % 300}`;
  });
  return `network,name\n${[...new Set(rows)].join('\n')}\n`;
}

test.each<[number, Shape]>([
  [FEW_ROWS, 'round'],
  [ROWS, 'round'],
  [ROWS, 'uneven'],
])(
  'a sync of four layers needs at most 1.3 of the memory of building the largest one, of %i %s rows, every time',
  async (rows, shape) => {
    const folder = makeLookupFolder();
    writeBase(join(folder.path, 'in', 'base.csv'), rows, shape);
    const layers = { sites: 2_000, cloud: 10_000, deny: 5_000 };
    Object.entries(layers).forEach(([name, count], index) =>
      folder.write(`${name}.csv`, networks(count, index + 1)),
    );
    const base = `{source: base.csv, kind: vendor, input_ip_format: ipv4-int, column_names: [${COLUMNS}]}`;
    const others = Object.keys(layers).map(
      (name) => `{source: ${name}.csv, input_ip_format: cidr, set: ['${name}=yes']}`,
    );
    folder.declare(
      `lookups:\n  all:\n    layers:\n${[base, ...others].map((each) => `      - ${each}\n`).join('')}`,
    );

    const build = await peakOf(folder, 'from-vendor', 'base.csv', '-i', 'ipv4-int', '-c', ...COLUMNS);
    const first = await peakOf(folder, 'sync');
    // The next syncs compare the lookup with the former one, too. They read all of it again, and one layer of it.
    appendFileSync(join(folder.path, 'in', 'base.csv'), '\r\n');
    const all = await peakOf(folder, 'sync');
    folder.write('deny.csv', networks(layers.deny, 4));
    const one = await peakOf(folder, 'sync');
    recordFigure(
      `${rows} ${shape} rows: peak memory of a build, a first sync, one of changed rows, one of a changed layer`,
      `${build}, ${first}, ${all}, ${one} MB`,
    );
    expect(Math.max(first, all, one) / build).toBeLessThanOrEqual(1.3);
  },
  600_000,
);
