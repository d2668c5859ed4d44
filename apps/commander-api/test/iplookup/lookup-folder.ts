import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInProcess } from '../shell/run-in-process.js';
import { type Ended, runSvccmd } from '../shell/run-svccmd.js';

/** A folder with a configuration, a folder of inputs and one of lookups. */
export interface LookupFolder {
  readonly path: string;
  readonly lookups: string;
  /** Writes an input file. */
  write(name: string, content: string | Uint8Array): string;
  /** Writes an input file: a zip archive of these files in a folder of its own, made by Python. */
  writeZip(name: string, files: Readonly<Record<string, string>>): void;
  /** Configures lookups that are declared by this YAML. */
  declare(yaml: string): void;
  /** Runs `svccmd iplookup …` in this process. */
  run(...args: string[]): Promise<Ended>;
  /** The same as a process, with standard input. */
  runWith(input: string | Uint8Array, ...args: string[]): Promise<Ended>;
}

/** The moment at which every lookup of the tests is built. */
export const EPOCH = '1700000000';

const made: string[] = [];

/** Ends each test file that makes one. */
export function removeLookupFolders(): void {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
}

/** Removed by `removeLookupFolders`. */
export function makeLookupFolder(): LookupFolder {
  const path = mkdtempSync(join(tmpdir(), 'svccmd-iplookup-'));
  made.push(path);
  mkdirSync(join(path, 'in'));
  const configuration = '[iplookup]\nsource_path = in\ndestination_path = out\n';
  writeFileSync(join(path, 'svccmd.conf'), configuration);
  const options = { cwd: path, env: { SOURCE_DATE_EPOCH: EPOCH } };
  return {
    path,
    lookups: join(path, 'out'),
    write: (name, content) => {
      writeFileSync(join(path, 'in', name), content);
      return join(path, 'in', name);
    },
    writeZip: (name, files) => {
      const content = mkdtempSync(join(path, 'zip-'));
      for (const [file, text] of Object.entries(files)) writeFileSync(join(content, file), text);
      execFileSync('/usr/bin/python3', ['-m', 'zipfile', '-c', join(path, 'in', name), content]);
    },
    declare: (yaml) => {
      writeFileSync(join(path, 'svccmd.conf'), `${configuration}declarations = lookups.yaml\n`);
      writeFileSync(join(path, 'lookups.yaml'), yaml);
    },
    run: (...args) => runInProcess(['iplookup', ...args], options),
    runWith: (input, ...args) => runSvccmd(['iplookup', ...args], { ...options, input }),
  };
}

/** Content of the lookup folder before a failing command. */
export const FORMER = 'the former lookup';

/** The lookups whose inputs the error tests use. */
const FORMER_FILES = ['IP2LOCATION-LITE-DB1.mmdb', 'input.mmdb', 'input.mmdb.gz'];

/** A folder with former lookups. */
export function makeFormerLookups(): LookupFolder {
  const folder = makeLookupFolder();
  mkdirSync(folder.lookups);
  for (const name of FORMER_FILES) writeFileSync(join(folder.lookups, name), FORMER);
  return folder;
}

/** Nothing was made, nothing was touched, nothing was left behind. */
export function expectUntouched({ lookups }: LookupFolder): void {
  const found = readdirSync(lookups).map((name) => [name, readFileSync(join(lookups, name), 'utf8')]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(FORMER_FILES.map((name) => [name, FORMER])));
}

/** Rows of our own making in the shape of the vendor's DB11: some without values, some with a few. */
export function placeRows(count: number, family: 4 | 6): string {
  const rows: string[] = [];
  const add = (first: bigint, last: bigint, index: number): void => {
    rows.push(`"${first}","${last}",${placeCells(index)}\r\n`);
  };
  const shift = family === 4 ? 0n : 0xffffn << 32n;
  if (family === 6) add(0n, shift + 0xff_ffffn, 0);
  else add(0n, 0xff_ffffn, 0);
  for (let index = 1; index <= count; index++) {
    const first = shift + (1n << 24n) + BigInt(index) * 1024n + BigInt(index % 5);
    add(first, first + BigInt((index * 37) % 900), index);
  }
  if (family === 6) {
    for (let index = 1; index <= count; index++) {
      const first = (0x2001_0db8n << 96n) + (BigInt(index) << 66n);
      add(first, first + (1n << BigInt(60 + (index % 6))) - 1n, index);
    }
  }
  return rows.join('');
}

function placeCells(index: number): string {
  if (index % 17 === 0) return '"-","-","-","-","0.000000","0.000000","-","-"';
  const region = index % 5 === 0 ? '-' : `Region, ${index % 11}`;
  const place = `"X${String.fromCharCode(65 + (index % 26))}","Country ${index % 26}","${region}","City ${index % 97}"`;
  const spot = `"${(index % 180) - 90}.250000","${(index % 360) - 180}.500000"`;
  return `${place},${spot},"${String(index % 1000).padStart(5, '0')}","+0${index % 10}:00"`;
}
