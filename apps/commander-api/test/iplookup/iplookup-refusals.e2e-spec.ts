import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { runInProcess } from '../shell/run-in-process.js';
import {
  expectUntouched,
  type LookupFolder,
  makeFormerLookups,
  removeLookupFolders,
} from './lookup-folder.js';

afterAll(removeLookupFolders);

const CSV = 'ip_from,ip_to,v\n1.0.0.0,1.0.0.1,x\n';
const LONG_NAME = 'x'.repeat(300);

let folder: LookupFolder;
const inFolder = (name: string) => join(folder.path, 'in', name);

beforeEach(() => {
  folder = makeFormerLookups();
  folder.write('input.csv', CSV);
});

afterEach(() => expectUntouched(folder));

/** A zip archive of these files in the folder of inputs, made by Python. */
function zip(files: Readonly<Record<string, string>>): Buffer {
  const archive = join(folder.path, 'made.zip');
  const paths = Object.entries(files).map(([name, text]) => folder.write(name, text));
  execFileSync('/usr/bin/python3', ['-m', 'zipfile', '-c', archive, ...paths]);
  return readFileSync(archive);
}

/** Overwrites bytes of an archive's only file, counted from its local and from its central header (APPNOTE.TXT 4.3). */
function patched(archive: Buffer, local: number, central: number, byte: number): Buffer {
  archive[local] = byte;
  archive[archive.indexOf('PK\x01\x02', 'latin1') + central] = byte;
  return archive;
}

test.each([
  [['from-csv'], 'missing file name: see --help'],
  [
    ['from-csv', '--no-header', '--column-names', 'a', 'b', 'input.csv'],
    'missing file name: put it before --column-names, or quote the names as one string',
  ],
  [
    ['from-vendor', '-c', 'a', 'b', 'input.csv'],
    'missing file name: put it before --column-names, or quote the names as one string',
  ],
  [
    ['from-csv', 'input.csv', '-i', 'ipv5'],
    "option '-i, --input-ip-format <format>' argument 'ipv5' is invalid. Allowed choices are ipv6, ipv4, ipv6-int, ipv4-int, cidr, auto, networks; see svccmd iplookup from-csv --help",
  ],
  [
    ['from-vendor', 'input.csv', '-i', 'ipv4'],
    "option '-i, --input-ip-format <format>' argument 'ipv4' is invalid. Allowed choices are ipv6-int, ipv4-int, cidr; see svccmd iplookup from-vendor --help",
  ],
  [
    ['from-csv', 'input.csv', '--force-ipv4'],
    '--force-ipv4 cannot be used with the input format ipv6: pass -i ipv4 or -i ipv4-int',
  ],
  [
    ['from-csv', 'input.csv', '--force-ipv4', '-i', 'ipv6-int'],
    '--force-ipv4 cannot be used with the input format ipv6-int: leave one of them out',
  ],
  [
    ['from-csv', 'input.csv', '-s', 'ab'],
    'the separator "ab" is not valid: use one character such as , or ; or the word tab',
  ],
  [
    ['from-csv', 'input.csv', '-o', '../input'],
    '"../input" is not a valid lookup name: use letters, digits, ".", "_" and "-", at most 128, starting with a letter or digit',
  ],
  [
    ['from-csv', `${LONG_NAME}.csv`],
    `"${LONG_NAME}" is not a valid lookup name: use letters, digits, ".", "_" and "-", at most 128, starting with a letter or digit: pass --lookup-name`,
  ],
  [['from-csv', '-'], 'standard input has no name: pass --lookup-name'],
  [
    ['from-csv', 'input.csv', '--column-names', 'a'],
    '--column-names requires --no-header: otherwise the first row contains the names',
  ],
  [['from-csv', 'input.csv', '--no-header'], '--no-header needs --column-names'],
  [['from-csv', 'input.csv', '--no-header', '--column-names', ''], '--column-names has an empty name'],
  [['from-vendor', 'input.csv', '-i', 'cidr', '-c', 'a', 'a'], '--column-names has a twice'],
  [
    ['from-vendor', 'input.csv', '-i', 'ipv4-int', '--include-ip-range', '-c', 'ip_from', 'a'],
    '--column-names must begin with ip_from and ip_to, or leave both out; it has only ip_from',
  ],
  [
    ['from-vendor', 'input.csv', '-i', 'ipv4-int', '-c', 'a', '-e', '--empty-rows', 'any'],
    '--keep-empty-rows cannot be combined with --empty-rows',
  ],
  [
    ['from-csv', 'input.csv', '--schema', 'geoip2', '--include-ip-range'],
    '--include-ip-range cannot be combined with --schema geoip2: its records have no place for addresses, and readers report the network',
  ],
  [
    ['from-csv', 'input.csv', '--build-epoch', 'now'],
    "option '--build-epoch <seconds>' argument 'now' is invalid. It must be a number of seconds since 1970; see svccmd iplookup from-csv --help",
  ],
  [['verify', 'input', '--against', '-'], '--against takes a file, not standard input'],
])('%j is a usage error', async (args, message) => {
  expect(await folder.run(...args)).toEqual({ code: 2, stdout: '', stderr: `svccmd: ${message}\n` });
});

test('a file name that is not the vendor’s, with those that are', async () => {
  expect(await folder.run('from-vendor', 'input.csv')).toEqual({
    code: 2,
    stdout: '',
    stderr:
      `svccmd: ${inFolder('input.csv')} is not a vendor file name: pass --column-names and --input-ip-format, or rename it; ` +
      'known names: IP2LOCATION-LITE-{DB1,DB3,DB5,DB9,DB11,ASN}[.IPV6][.CIDR].CSV, IP2PROXY-LITE-{PX1..PX12}[.IPV6][.CIDR].CSV, ' +
      'IP-COUNTRY....CSV, IPV6-COUNTRY....CSV, IP2PROXY-IP....CSV, IP2PROXY-IPV6....CSV, the samples and the download codes, such as DB11LITECSVIPV6, each also as .gz or .zip\n',
  });
});

test.each([
  [
    'from-csv',
    'iplookup.source_path is not set: set it to the folder with input files, or pass a path such as ./input.csv',
  ],
  ['show', 'iplookup.destination_path is not set: set it to the folder for lookup files'],
])('%s without folders configured names the setting', async (command, message) => {
  writeFileSync(join(folder.path, 'svccmd.conf'), '');
  const ended = await folder.run(command, 'input.csv', ...(command === 'show' ? ['1.0.0.0'] : []));
  expect(ended).toEqual({ code: 3, stdout: '', stderr: `svccmd: ${message}\n` });
});

test.each(['now', '-1', '1e9'])('SOURCE_DATE_EPOCH=%s is a configuration error', async (epoch) => {
  const env = { SOURCE_DATE_EPOCH: epoch };
  const args = ['iplookup', 'from-csv', 'input.csv', '-i', 'ipv4'];
  const ended = await runInProcess(args, { cwd: folder.path, env });
  const message = 'SOURCE_DATE_EPOCH must be a number of seconds since 1970';
  expect(ended).toEqual({ code: 3, stdout: '', stderr: `svccmd: ${message}\n` });
});

/** Inputs that cannot be read, as they are made, and the message about each. */
const UNREADABLE: readonly (readonly [message: string, content: () => string | Buffer])[] = [
  ['is truncated: its compressed data ends early', () => gzipSync(CSV.repeat(9)).subarray(0, 40)],
  [
    'is damaged: it cannot be decompressed',
    () => Buffer.concat([gzipSync(CSV).subarray(0, 12), Buffer.alloc(40, 7)]),
  ],
  ['contains no .csv file', () => zip({ 'LICENSE.TXT': 'x' })],
  ['contains 2 .csv files: unpack the one you want', () => zip({ 'a.csv': CSV, 'b.csv': CSV })],
  ['is damaged or truncated: it is not a complete zip archive', () => zip({ 'a.csv': CSV }).subarray(0, 60)],
  [
    'is damaged or truncated: it is not a complete zip archive',
    () => patched(zip({ 'a.csv': CSV }), 0x10, 0x03, 7),
  ],
  ['is damaged: the checksum of a.csv is wrong', () => patched(zip({ 'a.csv': CSV }), 0x0e, 0x10, 7)],
  ['is encrypted: unpack it first', () => patched(zip({ 'a.csv': CSV }), 0x06, 0x08, 1)],
  [
    'is an unsupported kind of zip archive: unpack it first',
    () => patched(zip({ 'a.csv': CSV }), 0x08, 0x0a, 9),
  ],
];

test.each(UNREADABLE)('an input %s', async (message, content) => {
  folder.write('input.csv.x', content());
  const ended = await folder.run('from-csv', 'input.csv.x', '-o', 'input', '-i', 'ipv4');
  expect(ended).toEqual({ code: 1, stdout: '', stderr: `svccmd: ${inFolder('input.csv.x')} ${message}\n` });
});

test.each([
  ['none.csv', 'does not exist'],
  ['../in/.', 'is a folder, not a file'],
  [`${LONG_NAME}.csv`, 'has a name that is too long'],
])('an input that is not a file: %s', async (name, message) => {
  const path = name.startsWith('..') ? name : inFolder(name);
  const given = name.startsWith('..') ? join(folder.path, 'in') : name;
  const ended = await folder.run('from-csv', given, '-o', 'input', '-i', 'ipv4');
  expect(ended).toEqual({
    code: 1,
    stdout: '',
    stderr: `svccmd: ${path.startsWith('..') ? given : path} ${message}\n`,
  });
});

test('a zip archive on standard input', async () => {
  const ended = await folder.runWith(zip({ 'a.csv': CSV }), 'from-csv', '-', '-o', 'input', '-i', 'ipv4');
  const message = 'standard input is a zip archive: pass its file name instead';
  expect(ended).toEqual({ code: 1, stdout: '', stderr: `svccmd: ${message}\n` });
});

test('a file in the working folder rather than the input folder is named with its path', async () => {
  writeFileSync(join(folder.path, 'here.csv'), CSV);
  const { code, stderr } = await folder.run('from-csv', 'here.csv', '-i', 'ipv4');
  expect([code, stderr]).toEqual([
    1,
    `svccmd: ${inFolder('here.csv')} does not exist; did you mean ./here.csv?\n`,
  ]);
});

test('unsupported compression is rejected with the tool to decompress it', async () => {
  const xz = Buffer.from('\xfd7zXZ\x00\x00\x04', 'latin1');
  const path = folder.write('input.csv.xz', xz);
  expect(await folder.run('from-csv', 'input.csv.xz', '-i', 'ipv4', '-o', 'input')).toMatchObject({
    code: 1,
    stderr: `svccmd: ${path} is compressed with xz: decompress it on the fly: xz -dc ${path} | svccmd ... -\n`,
  });
  expect(await folder.runWith(xz, 'from-csv', '-', '-i', 'ipv4', '-o', 'input')).toMatchObject({
    code: 1,
    stderr: 'svccmd: standard input is compressed with xz: unpack it first (xz -dc)\n',
  });
});
