import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Reader, type Response } from 'mmdb-lib';
import { makeLookupFolder, removeLookupFolders } from './lookup-folder.js';
import { type Probe, probesOf } from './sample-probes.js';
import { readSample, type SampleRow } from './sample-rows.js';

afterAll(removeLookupFolders);

/** A folder of CSV files of vendors, which may not be passed on with the project. */
const SAMPLES = process.env['IPLOOKUP_SAMPLES'];

const FILES =
  SAMPLES === undefined ? ['every file'] : readdirSync(SAMPLES).filter((name) => /\.csv$/i.test(name));

const PYTHON = '/usr/bin/python3';
const CHECK = new URL('check_readers.py', import.meta.url).pathname;
const hasPython = spawnSync(PYTHON, ['-c', 'import maxminddb']).status === 0;
const hasMmdblookup = spawnSync('/usr/bin/mmdblookup', ['--version']).status === 0;

/** The readers of Debian that are there. mmdblookup is a process for each address, so it gets few ranges. */
const DEBIAN_READERS = hasPython ? ['maxminddb', ...(hasMmdblookup ? ['mmdblookup:300'] : [])] : [];

/** The first few addresses of which a reader says something else, how many were asked for, and how many in gaps. */
function compare(find: (address: string) => unknown, probes: Iterable<Probe>) {
  const wrong: unknown[] = [];
  let [asked, gaps] = [0, 0];
  for (const { address, record, gap } of probes) {
    asked++;
    if (gap) gaps++;
    const found = find(address) ?? undefined;
    if (wrong.length < 5 && !isDeepStrictEqual(found, record)) wrong.push({ address, record, found });
  }
  return { wrong, asked, gaps };
}

const gapsIn = (rows: readonly SampleRow[]): boolean =>
  rows.some(({ last }, index) => rows[index + 1] !== undefined && rows[index + 1]!.first > last + 1n);

(SAMPLES === undefined ? describe.skip : describe)(
  'samples (skipped where IPLOOKUP_SAMPLES names no folder)',
  () => {
    test.each(FILES)(
      '%s: readers find every range, IPv4 in its three forms, and nothing in the gaps',
      async (name) => {
        const sample = await readSample(join(SAMPLES!, name), name);
        const folder = makeLookupFolder();
        const csv = folder.write(name, readFileSync(join(SAMPLES!, name)));
        const built = await folder.run(...sample.build, '-o', 'sample');
        expect([built.code, built.stderr]).toEqual([0, '']);
        const lookup = join(folder.lookups, 'sample.mmdb');
        const reader = new Reader<Response>(readFileSync(lookup));
        const { wrong, asked, gaps } = compare((address) => reader.get(address), probesOf(sample.rows));
        expect(wrong).toEqual([]);
        expect(asked).toBeGreaterThan(3 * (sample.rows.length - 1));
        expect(gaps > 0 || !gapsIn(sample.rows)).toBe(true);
        for (const debian of DEBIAN_READERS) {
          const args = [CHECK, csv, lookup, sample.format, debian, ...sample.names];
          const answer = JSON.parse(execFileSync(PYTHON, args, { encoding: 'utf8' })) as { wrong: unknown[] };
          expect([debian, answer.wrong]).toEqual([debian, []]);
        }
      },
      600_000,
    );
  },
);
