import { LookupOptionError } from '../messages/option-message.js';
import type { BuildOptions } from './build-options.js';
import { planBuild } from './plan-build.js';

const plan = (fileName: string, options: Partial<BuildOptions> = {}, entryName?: string) =>
  planBuild(fileName, { kind: 'csv', buildEpoch: 7, ...options }, entryName);

/** The error message for invalid options. */
function refusal(fileName: string, options: Partial<BuildOptions>): string {
  try {
    plan(fileName, options);
  } catch (error) {
    expect(error).toBeInstanceOf(LookupOptionError);
    return (error as Error).message;
  }
  throw new Error('it was accepted');
}

const DB1 = 'IP2LOCATION-LITE-DB1.CSV';
const VENDOR = { kind: 'vendor' } as const;
const NO_HEADER = { header: false } as const;

test('a custom CSV file, with default options', () => {
  const { format, choice, ...rest } = plan('folder/sites.csv');
  expect(format.name).toBe('ipv6');
  expect(choice.map(({ name }) => name)).toEqual([
    'ipv6',
    'ipv4',
    'ipv6-int',
    'ipv4-int',
    'cidr',
    'auto',
    'networks',
  ]);
  expect(rest).toEqual({
    file: 'sites.csv',
    separator: 44,
    columns: undefined,
    dashIsEmpty: false,
    noValues: new Map(),
    dropEmptyRows: 'none',
    keepEmptyCells: false,
    typed: false,
    schema: 'flat',
    dropColumns: [],
    joins: [],
    keepColumns: undefined,
    rename: [],
    columnTypes: [],
    set: [],
    includeIpRange: false,
    forceIpv4: false,
    skipInvalid: false,
    overlap: 'later',
    overlapOption: { option: 'overlap', value: 'error' },
    lookupName: 'sites',
    description: 'sites: IP lookup',
    buildEpoch: 7,
  });
});

test('a vendor file, with default options', () => {
  const { format, choice, ...rest } = plan(DB1, VENDOR);
  expect(format.name).toBe('ipv4-int');
  expect(choice.map(({ name }) => name)).toEqual(['ipv6-int', 'ipv4-int', 'cidr']);
  expect(rest).toMatchObject({
    columns: [['country_code', 'country_name']],
    database: 'DB1',
    dashIsEmpty: true,
    noValues: new Map(),
    dropEmptyRows: 'all',
    keepEmptyCells: false,
    typed: true,
    lookupName: 'IP2LOCATION-LITE-DB1',
    description: 'IP2LOCATION-LITE-DB1: IP lookup with IP2Location data, https://www.ip2location.com',
  });
});

test('the plan contains all given options', () => {
  const given = {
    dropColumns: ['x'],
    includeIpRange: true,
    forceIpv4: true,
    skipInvalid: true,
    lookupName: 'Own-1.b_c',
  };
  expect(plan('a.csv', { ...given, strict: true, types: true, inputFormat: 'auto' })).toMatchObject({
    ...given,
    overlap: 'error',
    overlapOption: { option: 'strict' },
    typed: true,
  });
  expect(plan('a.csv', { overlap: 'specific' }).overlap).toBe('specific');
  expect(refusal('a.csv', { overlap: 'later', strict: true })).toBe(
    '--strict cannot be combined with --overlap later',
  );
  expect(plan(DB1, { ...VENDOR, types: false }).typed).toBe(false);
  expect(plan(DB1, { ...VENDOR, emptyRows: 'any' }).dropEmptyRows).toBe('any');
  expect(plan(DB1, { ...VENDOR, keepEmptyRows: true })).toMatchObject({
    dropEmptyRows: 'none',
    keepEmptyCells: true,
  });
  expect(plan('a.csv', { keepEmptyRows: true }).keepEmptyCells).toBe(false);
  expect(plan('a.csv', { schema: 'geoip2', types: true }).schema).toBe('geoip2');
  expect(plan('a.csv', { schema: 'flat', includeIpRange: true, types: false }).schema).toBe('flat');
});

test('how a format’s name is determined', () => {
  expect(plan('IP2LOCATION-LITE-DB1.IPV6.CSV', VENDOR).format.name).toBe('ipv6-int');
  expect(plan('IP2LOCATION-LITE-DB1.CIDR.CSV', VENDOR).format.name).toBe('cidr');
  expect(plan('download.zip', VENDOR, 'IP2LOCATION-LITE-DB1.IPV6.CSV').format.name).toBe('ipv6-int');
  expect(plan(DB1, { ...VENDOR, inputFormat: 'cidr' }).format.name).toBe('cidr');
  const named = { ...VENDOR, columnNames: ['v'], inputFormat: 'ipv6-int' } as const;
  expect(plan('mine.csv', named).format.name).toBe('ipv6-int');
  expect(plan(DB1, { ...named, inputFormat: 'ipv4-int' })).not.toHaveProperty('database');
});

test.each([
  ['sites.csv', 'sites', 'sites.csv'],
  ['/data/in/Sites.CSV.GZ', 'Sites', 'Sites.CSV.GZ'],
  ['C:\\data\\sites.csv.zip', 'sites', 'sites.csv.zip'],
  ['sites.csv.old', 'sites.csv.old', 'sites.csv.old'],
  ['a.zip.csv', 'a.zip', 'a.zip.csv'],
  ['a.gz.b.csv', 'a.gz.b', 'a.gz.b.csv'],
])('%s makes the lookup %s', (fileName, lookupName, file) => {
  expect(plan(fileName)).toMatchObject({ lookupName, file });
});

test('standard input has the name that is given', () => {
  expect(plan('-', { lookupName: 'piped' })).toMatchObject({ file: 'standard input', lookupName: 'piped' });
  expect(plan('x'.repeat(128)).lookupName).toHaveLength(128);
});

test.each([
  [',', 44],
  [';', 59],
  ['|', 124],
  [' ', 32],
  ['~', 126],
  ['tab', 9],
  ['\\t', 9],
  ['\t', 9],
])('the separator %p', (separator, byte) => {
  expect(plan('a.csv', { separator }).separator).toBe(byte);
});

test.each(['', ',,', '"', '.', ':', '/', '7', 'x', 'Q', '\u007f', '\u001f', '\n', 'é'])(
  'the separator %j is rejected',
  (separator) => {
    expect(refusal('a.csv', { separator })).toBe(
      `the separator ${JSON.stringify(separator)} is not valid: use one character such as , or ; or the word tab`,
    );
  },
);

test('names of columns, with or without those of the addresses', () => {
  const columns = (columnNames: readonly string[], options: Partial<BuildOptions> = {}) =>
    plan('a.csv', { ...NO_HEADER, columnNames, ...options }).columns;
  expect(columns(['ip_from', 'ip_to', 'v'])).toEqual([['v']]);
  expect(columns(['start', 'end', 'v'])).toEqual([['start', 'end', 'v'], ['v']]);
  expect(columns(['start', 'end'])).toEqual([['start', 'end'], []]);
  expect(columns(['v'])).toEqual([['v']]);
  expect(columns(['v'], { inputFormat: 'cidr' })).toEqual([['v'], []]);
  const cidr = { inputFormat: 'cidr' } as const;
  expect(columns(['ip_from', 'ip_to'], cidr)).toEqual([['ip_from', 'ip_to'], ['ip_to']]);
  expect(columns(['ip_from', 'ip_to', 'v'], { includeIpRange: true })).toEqual([['v']]);
  expect(columns(['ip_to', 'ip_from', 'v'])).toEqual([['ip_to', 'ip_from', 'v'], ['v']]);
});

const TAKEN = '--column-names must begin with ip_from and ip_to, or leave both out; it has';

test.each([
  [{ columnNames: [] }, '--column-names has an empty name'],
  [{ columnNames: ['a', ' '] }, '--column-names has an empty name'],
  [{ columnNames: ['', 'a'] }, '--column-names has an empty name'],
  [{ columnNames: ['a', 'b', 'a'] }, '--column-names has a twice'],
  [{ columnNames: ['v', 'ip_to'], includeIpRange: true }, `${TAKEN} only ip_to`],
  [{ columnNames: ['ip_from', 'v'], includeIpRange: true }, `${TAKEN} only ip_from`],
  [{}, '--no-header needs --column-names'],
])('columns %j without a header are rejected', (options, message) => {
  expect(refusal('a.csv', { ...NO_HEADER, ...options })).toBe(message);
});

const GEOIP2 = { schema: 'geoip2' } as const;
const GOES_NOT = 'cannot be combined with --schema geoip2';
const NAME_RULE =
  'is not a valid lookup name: use letters, digits, ".", "_" and "-", at most 128, starting with a letter or digit';

test.each<[string, string, Partial<BuildOptions>, string]>([
  [
    'an unknown format',
    'a.csv',
    { inputFormat: 'ip' as 'ipv4' },
    'ip is not an input format; use one of ipv6, ipv4, ipv6-int, ipv4-int, cidr, auto, networks',
  ],
  [
    'an IPv4 tree with the default format',
    'a.csv',
    { forceIpv4: true },
    '--force-ipv4 cannot be used with the input format ipv6: pass -i ipv4 or -i ipv4-int',
  ],
  [
    'an IPv4 tree of IPv6 addresses',
    'a.csv',
    { forceIpv4: true, inputFormat: 'ipv6-int' },
    '--force-ipv4 cannot be used with the input format ipv6-int: leave one of them out',
  ],
  [
    'names beside a header',
    'a.csv',
    { columnNames: ['v'] },
    '--column-names requires --no-header: otherwise the first row contains the names',
  ],
  [
    'empty rows kept and dropped',
    DB1,
    { ...VENDOR, keepEmptyRows: true, emptyRows: 'any' },
    '--keep-empty-rows cannot be combined with --empty-rows',
  ],
  [
    'geoip2 with the addresses',
    'a.csv',
    { ...GEOIP2, includeIpRange: true },
    `--include-ip-range ${GOES_NOT}: its records have no place for addresses, and readers report the network`,
  ],
  [
    'geoip2 with empty rows',
    DB1,
    { ...GEOIP2, ...VENDOR, keepEmptyRows: true },
    `--keep-empty-rows ${GOES_NOT}: its records omit unknown values`,
  ],
  [
    'geoip2 without types',
    'a.csv',
    { ...GEOIP2, types: false },
    `--no-types ${GOES_NOT}: it determines the types itself`,
  ],
  ['standard input without a name', '-', {}, 'standard input has no name: pass --lookup-name'],
  ['a file without a valid name', '.csv', {}, `"" ${NAME_RULE}: pass --lookup-name`],
  [
    'a name that is too long',
    `${'x'.repeat(129)}.csv`,
    {},
    `"${'x'.repeat(129)}" ${NAME_RULE}: pass --lookup-name`,
  ],
  ['a name with a folder', 'a.csv', { lookupName: '../a' }, `"../a" ${NAME_RULE}`],
  ['a name with a dot first', 'a.csv', { lookupName: '.a' }, `".a" ${NAME_RULE}`],
])('%s is rejected', (_what, fileName, options, message) => {
  expect(refusal(fileName, options)).toBe(message);
});

test.each([
  ['IP2LOCATION-LITE-DB1 (1).CSV', 'DB1', 'country_code country_name', 'ipv4-int'],
  ['IP2LOCATION-LITE-DB1.IPV6 (12).CSV.gz', 'DB1', 'country_code country_name', 'ipv6-int'],
  ['IP2LOCATION-LITE-DB1-2026-11-01.CSV', 'DB1', 'country_code country_name', 'ipv4-int'],
  ['IP2LOCATION-LITE-DB1_20261101.CSV', 'DB1', 'country_code country_name', 'ipv4-int'],
  ['20261101-IP2PROXY-LITE-PX2.CSV', 'PX2', 'proxy_type country_code country_name', 'ipv4-int'],
  ['IP-COUNTRY-2026-11.CSV', 'DB1', 'country_code country_name', 'ipv4-int'],
  ['IP2LOCATION-LITE-DB1.CIDR - Copy.CSV', 'DB1', 'country_code country_name', 'cidr'],
  ['db1-of-november.csv', 'DB1', 'country_code country_name', 'ipv4-int'],
])('%s is nearly a name of the vendor’s: %s', (name, code, columns, format) => {
  expect(refusal(name, VENDOR)).toBe(
    `${name} is not a vendor file name, but close to one of ${code}: rename it, or pass -c ${columns} and -i ${format}`,
  );
});

test('a dash cannot separate columns where it separates the ends of a range', () => {
  for (const inputFormat of ['auto', 'cidr'] as const) {
    expect(refusal('a.csv', { separator: '-', inputFormat })).toContain(
      `the separator "-" cannot be used with the input format ${inputFormat}`,
    );
  }
});

test('a file without a vendor name needs columns and a format', () => {
  const message =
    /^mine\.csv is not a vendor file name: pass --column-names and --input-ip-format, or rename it; /;
  expect(refusal('mine.csv', VENDOR)).toMatch(message);
  expect(refusal('mine.csv', { ...VENDOR, inputFormat: 'ipv4-int' })).toMatch(message);
  expect(refusal('mine.csv', { ...VENDOR, columnNames: ['v'] })).toMatch(message);
});
